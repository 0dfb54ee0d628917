// The time for which each blocker held a download back: every instant of its wait counts for one
// code.
package import Base
package import Downloads

/// The parts of a wait by blocker, in milliseconds; their sum is the wait.
package struct BlockedTime: Equatable, Sendable {
    private struct Part: Equatable {
        let code: BlockerCode
        var milliseconds: Int64
    }

    /// The parts in the order of the codes' names; none is 0.
    ///
    /// An array, because a search among few parts is cheaper than a hash.
    private var list: [Part] = []

    /// Milliseconds by code; a code without time is left out.
    package var parts: [BlockerCode: Int64] {
        Dictionary(uniqueKeysWithValues: list.map { ($0.code, $0.milliseconds) })
    }

    /// If several blockers hold at once, the first of these counts.
    private static let precedence = [
        "admin_hold", "draining", "earliest_begin_date", "wake_delay", "retry_backoff",
        "session_suspended", "origin_pushback", "connectivity", "origin_unreachable", "begin_hook",
        "dependency",
        "condition", "window", "closing_window", "preferred_time", "bandwidth_zero", "budget",
        "app_quota", "disk_reserve", "app_limit", "session_limit", "origin_limit",
        "connection_limit", "slots",
    ]
    /// The most pieces into which a wait is cut; the last one lasts to its end.
    private static let piecesAtMost = 512

    /// Creates a wait of no time.
    package init() {}

    /// Divides a wait; time that the history does not explain counts as `slots`.
    ///
    /// - Parameters:
    ///   - candidate: the download as it waited: `runAt` is the instant of its date or its retry.
    ///   - start: since when it waited.
    ///   - end: until when.
    ///   - history: the facts meanwhile.
    ///   - suspensions: when its session was suspended.
    package init(
        of candidate: AdmissionCandidate, from start: Timestamp, to end: Timestamp,
        in history: FactsHistory, suspensions: Suspensions = Suspensions()
    ) {
        guard start < end else { return }
        let due = min(max(candidate.runAt, start), end)
        add(candidate.attempt == 0 ? .earliestBeginDate : .retryBackoff, due - start)
        var left = BlockedTime.piecesAtMost
        suspensions.forEachPiece(of: due..<end) { piece, isSuspended in
            if isSuspended {
                add(.sessionSuspended, piece.upperBound - piece.lowerBound)
            } else {
                addDue(candidate, piece, in: history, atMost: &left)
            }
        }
    }

    /// Divides a span in which a candidate was due and its session was not suspended; `left` is the
    /// number of pieces that the wait may still be cut into.
    private mutating func addDue(
        _ candidate: AdmissionCandidate, _ span: Range<Timestamp>, in history: FactsHistory,
        atMost left: inout Int
    ) {
        let end = span.upperBound
        guard
            history.hasRules || candidate.isKeptFromNetworks
                || history.mayHold(candidate, from: span.lowerBound, to: end)
        else {
            addPlaces(candidate, span, in: history)
            return
        }
        var at = span.lowerBound
        while at < end {
            left -= 1
            let situation = history.situation(at: at)
            var blockers = Admission.policyBlockers(candidate, in: situation)
            if let disk = Admission.diskBlocker(candidate, in: situation) { blockers.append(disk) }
            if let pushed = candidate.pushed,
                let end = history.pushbacks.end(of: pushed, at: at)
            {
                blockers.append(Blocker(.originPushback, "", since: at, until: end))
            }
            blockers += history.outages.blockers(of: candidate, at: at)
            let next =
                left <= 0
                ? end : history.change(after: at, of: candidate, blockers, in: situation) ?? end
            let until = min(end, next)
            if blockers.isEmpty {
                addPlaces(candidate, at..<until, in: history)
            } else {
                add(BlockedTime.first(of: blockers), until - at)
            }
            at = until
        }
    }

    /// Divides a wait in which a begin hook was asked: the time before the question and the time
    /// after the answer are divided apart.
    ///
    /// - Parameters:
    ///   - candidate: the download as it waited: `runAt` is the instant of the answer.
    ///   - start: since when it waited.
    ///   - end: until when.
    ///   - asked: when the hook was asked; nil where it was not.
    ///   - date: when it was due before that.
    ///   - history: the facts meanwhile.
    ///   - suspensions: when its session was suspended.
    package init(
        of candidate: AdmissionCandidate, from start: Timestamp, to end: Timestamp,
        asked: Timestamp?, due date: Timestamp, in history: FactsHistory,
        suspensions: Suspensions = Suspensions()
    ) {
        // The start of the wait is kept in milliseconds only.
        let asked = asked.flatMap { $0 + .milliseconds(1) > start ? max($0, start) : nil }
        guard let asked, asked <= candidate.runAt, candidate.runAt <= end else {
            self = BlockedTime(
                of: candidate, from: start, to: end, in: history, suspensions: suspensions)
            return
        }
        var before = candidate
        before.runAt = date
        self = BlockedTime(
            of: before, from: start, to: asked, in: history, suspensions: suspensions)
        add(.beginHook, candidate.runAt - asked)
        var after = candidate
        after.runAt = min(date, candidate.runAt)
        add(
            BlockedTime(
                of: after, from: candidate.runAt, to: end, in: history, suspensions: suspensions))
    }

    /// The code that counts if several blockers hold at one instant.
    package static func first(of blockers: [Blocker]) -> BlockerCode {
        func rank(_ code: BlockerCode) -> Int {
            precedence.firstIndex(of: code.rawValue) ?? precedence.count - 1
        }
        return blockers.map(\.code).min { rank($0) < rank($1) } ?? .slots
    }

    /// Counts time without other blockers: for a full app, session or origin, the rest for slots.
    private mutating func addPlaces(
        _ candidate: AdmissionCandidate, _ span: Range<Timestamp>, in history: FactsHistory
    ) {
        let before = total
        history.gates.forEachTime(of: candidate, in: span) { code, time in add(code, time) }
        let counted = Duration.milliseconds(total - before)
        add(.slots, span.upperBound - span.lowerBound - counted)
    }

    private mutating func add(_ code: BlockerCode, _ duration: Duration) {
        let milliseconds = duration.wholeMilliseconds
        guard milliseconds > 0 else { return }
        add(code, milliseconds)
    }

    private mutating func add(_ code: BlockerCode, _ milliseconds: Int64) {
        let name = code.rawValue
        let place = list.firstIndex { $0.code.rawValue >= name } ?? list.endIndex
        if place < list.endIndex, list[place].code == code {
            list[place].milliseconds += milliseconds
        } else {
            list.insert(Part(code: code, milliseconds: milliseconds), at: place)
        }
    }

    /// Adds another wait of the same download.
    package mutating func add(_ other: BlockedTime) {
        for part in other.list { add(part.code, part.milliseconds) }
    }

    /// The whole wait in milliseconds.
    package var total: Int64 { list.reduce(0) { $0 + $1.milliseconds } }

    /// Seconds by code for the store; nil for less than a second in all.
    package var stored: JSONObject? {
        guard total >= 1000 else { return nil }
        return json
    }

    /// Seconds by code.
    package var json: JSONObject {
        JSONObject(
            members: list.map { part in
                (part.code.rawValue, .number(Double(part.milliseconds) / 1000))
            })
    }

    /// Reads the form that `stored` writes; a code that this program does not know counts as
    /// `slots`.
    package init(stored object: JSONObject) {
        for (name, value) in object.members {
            guard let seconds = value.doubleValue, seconds > 0, seconds < 1e12 else { continue }
            add(BlockerCode(rawValue: name) ?? .slots, .milliseconds(Int64(seconds * 1000)))
        }
    }
}
