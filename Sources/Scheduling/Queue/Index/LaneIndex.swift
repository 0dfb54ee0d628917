// An index of the open lanes among very many: caches the verdict on each until it may change.
package import Base
internal import Downloads

/// The known lanes, grouped by the rules that may close them.
///
/// It asks the verdict for a lane when the lane changed, when a requirement of its rules changed,
/// when the instant that the verdict named has come, or when other facts changed. A hard
/// requirement that changes touches no lane.
package struct LaneIndex: Sendable {
    /// The most lanes that are kept.
    package static let lanesAtMost = 131_072
    /// The most verdicts of one step.
    static let judgedAtOnce = 512

    /// A lane with its judgement.
    private struct Entry {
        var head: LaneHead
        var bucket: Int
        /// Its index in its bucket.
        var place: Int
        /// The bucket's epoch in which it was judged; -1 if it has no valid judgement.
        var epoch = -1
        var judgement = LaneJudgement(isOpen: false)
        /// Whether it was taken: it is in the queue, or waits for an instant or a gate alone.
        var isOut = false
        /// The number of its judgements, by which older alarms are recognized as outdated.
        var ticket = 0
        /// The time at which it was read last.
        var readAt: Timestamp
    }

    private var entries: [Int64: Entry] = [:]
    private var buckets: [LaneBucket] = []
    private var places: [LaneBucket.Key: Int] = [:]
    /// The buckets of each signature.
    private var bucketsOf: [Int: [Int]] = [:]
    private var alarms = LaneAlarms()
    private var book: AtomBook
    private var matcher: RuleMatcher
    private var budgeted: BudgetedLanes
    private var situation: Situation
    private var latest: Timestamp
    /// The bucket with which the next taking begins, so that all have their turn.
    private var turn = 0
    /// Whether all open lanes were taken and nothing has opened since.
    private var isExhausted = false

    /// Creates an index without lanes, with the rules of the situation's policy.
    package init(_ situation: Situation) {
        self.situation = situation
        latest = situation.now
        book = AtomBook(situation)
        matcher = RuleMatcher(situation.policy)
        budgeted = BudgetedLanes(situation)
    }

    /// The number of known lanes.
    package var count: Int { entries.count }

    /// The number of different sets of rules that the lanes match.
    package var signatureCount: Int { book.counts.signatures }

    /// The lanes that are known.
    package var lanes: some Collection<LaneHead> { entries.values.lazy.map(\.head) }

    /// A lane as it was read last; nil for an unknown one.
    func head(_ lane: Int64) -> LaneHead? { entries[lane]?.head }

    /// Notes the instant before which a lane's origin wants no requests; nil for no pause.
    mutating func note(_ lane: Int64, pause: Timestamp?) {
        entries[lane]?.head.origin.notBefore = pause
    }

    /// Whether a lane was taken: it is in the queue, or waits for an instant or a gate alone.
    func isOut(_ lane: Int64) -> Bool { entries[lane]?.isOut ?? false }

    /// Whether a lane is known.
    package func has(_ lane: Int64) -> Bool { entries[lane] != nil }

    /// The time at which a lane may change by itself; nil for never.
    package var nextChange: Timestamp? {
        [book.nextFlip, alarms.first?.at].compactMap(\.self).min()
    }

    // MARK: facts

    /// Takes another instant, other conditions, or other facts of this policy.
    package mutating func advance(to next: Situation) {
        // While the clock is behind an earlier instant, cached judgements are not valid.
        let isBack = next.now < situation.now || situation.now < latest
        latest = max(latest, next.now)
        let isOtherwise = next.hasOtherFacts(than: situation)
        situation = next
        let touched = book.advance(to: next)
        let counted = budgeted.advance(to: next)
        if isBack || isOtherwise || counted == nil {
            for place in buckets.indices { buckets[place].void() }
            isExhausted = false
        } else {
            for signature in touched {
                for place in bucketsOf[signature] ?? [] { buckets[place].void() }
                isExhausted = false
            }
            judge(counted ?? [])
        }
        ring()
        if alarms.count > 2 * entries.count + 1024 {
            let entries = entries
            alarms.keep { entries[$0.lane]?.ticket == $0.ticket }
        }
    }

    /// Judges lanes whose budgets changed; if they are many, later, as they are asked for.
    private mutating func judge(_ lanes: Set<Int64>) {
        if lanes.count > LaneIndex.judgedAtOnce {
            for bucket in Set(lanes.compactMap { entries[$0]?.bucket }) { buckets[bucket].void() }
            isExhausted = false
            return
        }
        for lane in lanes {
            entries[lane]?.epoch = -1
            guard let bucket = entries[lane]?.bucket, standing(bucket) != .closed else { continue }
            judge(lane)
        }
    }

    /// Judges lanes whose instant has come.
    private mutating func ring() {
        while let alarm = alarms.first, alarm.at <= situation.now {
            alarms.removeFirst()
            guard let entry = entries[alarm.lane], entry.ticket == alarm.ticket,
                entry.epoch == buckets[entry.bucket].epoch
            else { continue }
            // A lane that a hard requirement closes is judged when that requirement is met.
            guard standing(entry.bucket) != .closed else { continue }
            judge(alarm.lane)
        }
    }

    private func standing(_ bucket: Int) -> AtomBook.Standing {
        book.standing(of: buckets[bucket].key.signature)
    }

    // MARK: lanes

    /// Adds a lane, or takes its new state.
    ///
    /// - Parameters:
    ///   - head: the lane.
    ///   - isOut: whether it is to be asked where it is open, without being taken first.
    /// - Returns: whether it is open.
    @discardableResult
    package mutating func enter(_ head: LaneHead, isOut: Bool) -> Bool {
        let wasOut = entries[head.lane]?.isOut ?? false
        if let old = entries[head.lane] {
            if LaneKind(old.head) == LaneKind(head), old.head.originKey == head.originKey {
                let isSame = LaneIndex.isSame(old.head, head)
                entries[head.lane]?.head = head
                entries[head.lane]?.readAt = situation.now
                if !isSame { entries[head.lane]?.epoch = -1 }
            } else {
                remove(head.lane)
                add(head)
            }
        } else {
            add(head)
        }
        let isOpen = isOpen(head.lane)
        entries[head.lane]?.isOut = isOpen && isOut
        if isOpen, wasOut, !isOut, let bucket = entries[head.lane]?.bucket {
            buckets[bucket].offer(head.lane)
            isExhausted = false
        }
        return isOpen
    }

    /// Whether two readings of a lane are equal for the verdict, which does not depend on gates.
    private static func isSame(_ old: LaneHead, _ new: LaneHead) -> Bool {
        var candidate = old.candidate
        candidate.origin = new.origin
        candidate.sessionGate = new.sessionGate
        candidate.appGate = new.appGate
        return candidate == new.candidate
    }

    private mutating func add(_ head: LaneHead) {
        let rules = matcher.rules(of: head.candidate, LaneKind(head))
        let key = LaneBucket.Key(
            signature: book.signature(of: rules), session: head.sessionKey,
            schedulingClass: head.schedulingClass, rank: head.rank,
            isHooked: head.isHooked)
        let bucket: Int
        if let known = places[key] {
            bucket = known
        } else {
            bucket = buckets.count
            buckets.append(LaneBucket(key))
            places[key] = bucket
            bucketsOf[key.signature, default: []].append(bucket)
        }
        let place = buckets[bucket].add(head.lane)
        entries[head.lane] = Entry(
            head: head, bucket: bucket, place: place, readAt: situation.now)
        if situation.policy.hasBudgets {
            budgeted.add(head.lane, head.candidate, in: situation)
        }
        isExhausted = false
    }

    /// Forgets a lane.
    package mutating func remove(_ lane: Int64) {
        guard let entry = entries.removeValue(forKey: lane) else { return }
        if situation.policy.hasBudgets {
            budgeted.remove(lane, entry.head.candidate, under: situation.policy)
        }
        for (other, place) in buckets[entry.bucket].remove(at: entry.place) {
            entries[other]?.place = place
        }
    }

    /// Notes that a lane has other downloads, the first of them due at an instant.
    package mutating func move(_ lane: Int64, to instant: Timestamp) {
        guard let runAt = entries[lane]?.head.runAt, runAt != instant else { return }
        entries[lane]?.head.runAt = instant
        entries[lane]?.epoch = -1
    }

    /// The lanes that were read before an instant and were due then.
    func lanes(readBefore instant: Timestamp) -> [Int64] {
        entries.values.filter { $0.readAt < instant && $0.head.runAt <= instant }
            .map(\.head.lane)
    }

    /// The lanes that were read longest ago, up to a number.
    func readLongestAgo(_ most: Int) -> [Int64] {
        entries.values.map { (at: $0.readAt, lane: $0.head.lane) }
            .sorted { ($0.at, $0.lane) < ($1.at, $1.lane) }.prefix(most).map(\.lane)
    }

    // MARK: judgements

    /// Whether a lane is open; asks the verdict only if that may have changed.
    @discardableResult
    package mutating func isOpen(_ lane: Int64) -> Bool {
        guard let entry = entries[lane], standing(entry.bucket) != .closed else { return false }
        if entry.epoch == buckets[entry.bucket].epoch,
            entry.judgement.until.map({ $0 > situation.now }) ?? true
        {
            return entry.judgement.isOpen
        }
        return judge(lane)
    }

    @discardableResult
    private mutating func judge(_ lane: Int64) -> Bool {
        guard let entry = entries[lane] else { return false }
        WorkMeter.add(1)
        let rules = book.rules(of: buckets[entry.bucket].key.signature)
        let judgement = Admission.judgement(
            entry.head.candidate, matching: rules, in: situation)
        let wasOpen = entry.epoch == buckets[entry.bucket].epoch && entry.judgement.isOpen
        let ticket = entry.ticket + 1
        entries[lane]?.judgement = judgement
        entries[lane]?.epoch = buckets[entry.bucket].epoch
        entries[lane]?.ticket = ticket
        if let until = judgement.until {
            alarms.add(LaneAlarms.Alarm(at: until, lane: lane, ticket: ticket))
        }
        if judgement.isOpen, !wasOpen, !entry.isOut {
            buckets[entry.bucket].offer(lane)
            isExhausted = false
        }
        return judgement.isOpen
    }

    /// The bytes of a lane's downloads that fit before a known closing; nil for no bound.
    func closingRoom(of lane: Int64) -> ClosingRoom? {
        guard let entry = entries[lane], book.hasForeseen(signature(of: entry)) else { return nil }
        return Admission.closingRoom(
            entry.head.candidate, matching: book.rules(of: signature(of: entry)),
            in: situation)
    }

    private func signature(of entry: Entry) -> Int { buckets[entry.bucket].key.signature }

    // MARK: what is to be asked

    /// Takes open lanes that were not taken yet, from all buckets in turn.
    ///
    /// - Parameter most: how many at most.
    /// - Returns: the lanes, and whether there may be more that were not judged yet.
    package mutating func take(_ most: Int) -> (heads: [LaneHead], hasMore: Bool) {
        guard most > 0, !isExhausted, !buckets.isEmpty else { return ([], false) }
        var found: [LaneHead] = []
        var budget = LaneIndex.judgedAtOnce
        let open = buckets.indices.filter { standing($0) != .closed && buckets[$0].hasMore }
        guard !open.isEmpty else {
            isExhausted = true
            return ([], false)
        }
        WorkMeter.add(open.count)
        let share = max(1, most / open.count)
        let first = open.firstIndex { $0 >= turn } ?? 0
        for step in open.indices where found.count < most && budget > 0 {
            let place = open[(first + step) % open.count]
            turn = place + 1
            take(min(share, most - found.count), from: place, &found, &budget)
        }
        let hasMore = open.contains { buckets[$0].hasMore }
        if found.isEmpty, !hasMore { isExhausted = true }
        return (found, hasMore)
    }

    private mutating func take(
        _ most: Int, from bucket: Int, _ found: inout [LaneHead], _ budget: inout Int
    ) {
        let end = found.count + most
        while found.count < end {
            if let lane = buckets[bucket].nextOffer() {
                guard entries[lane]?.bucket == bucket, entries[lane]?.isOut == false,
                    isOpen(lane), let head = entries[lane]?.head
                else { continue }
                entries[lane]?.isOut = true
                found.append(head)
                continue
            }
            guard budget > 0, let lane = buckets[bucket].nextUnjudged() else { return }
            guard let entry = entries[lane], !entry.isOut,
                entry.epoch != buckets[bucket].epoch
            else { continue }
            budget -= 1
            judge(lane)
        }
    }

    /// Returns a taken lane, which stays known.
    package mutating func giveBack(_ lane: Int64) {
        guard let entry = entries[lane], entry.isOut else { return }
        entries[lane]?.isOut = false
        if entry.epoch != buckets[entry.bucket].epoch {
            judge(lane)
        } else if entry.judgement.isOpen {
            buckets[entry.bucket].offer(lane)
            isExhausted = false
        }
    }
}
