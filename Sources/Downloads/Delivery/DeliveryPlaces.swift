// Shares out the places of a replica for webhooks among their receivers.
package import Base

/// The places of one replica for concurrent tries, and the receivers that hold them.
///
/// A receiver that holds no place comes before one that holds some; among these, the longest due
/// comes first. A receiver that did not answer its last try, or was never tried, holds one place.
/// Silent receivers together hold at most half of all places, silent and untried ones three
/// quarters; second and further places of receivers are at most half of all. So a receiver that
/// answers finds a place, even if many others are silent.
///
/// For a receiver that answers quickly more deliveries are claimed than it has places, so that one
/// claim serves many tries: they wait in this replica for the places of ended tries. Every quick
/// end raises the number that may wait by one, every slow end halves it. Waiting deliveries do not
/// take a place that another receiver waits for: while places are short none are claimed ahead.
package struct DeliveryPlaces: Sendable {
    /// A receiver with something due.
    package struct DueReceiver: Equatable, Sendable {
        /// The number of the receiver.
        package let number: Int64
        /// The result of its last tries.
        package let standing: ReceiverStanding
        /// The time at which the oldest due delivery became due.
        package let dueAt: Timestamp

        /// Creates a value with all its members.
        package init(number: Int64, standing: ReceiverStanding, dueAt: Timestamp) {
            self.number = number
            self.standing = standing
            self.dueAt = dueAt
        }
    }

    /// Places for a receiver.
    package struct Grant: Equatable, Sendable {
        /// The number of the receiver.
        package let receiver: Int64
        /// The number of tries that may begin.
        package var count: Int
        /// The number of further deliveries that may be claimed and wait here for a place.
        package var ahead: Int

        /// Creates a value with all its members.
        package init(receiver: Int64, count: Int, ahead: Int = 0) {
            self.receiver = receiver
            self.count = count
            self.ahead = ahead
        }
    }

    private struct Holder {
        var count: Int
        var standing: ReceiverStanding
        /// Deliveries that wait here for a place.
        var waiting = 0
    }

    /// The most deliveries of one receiver that wait here for a place.
    package static let aheadEach = 128

    private let total: Int
    private let each: Int
    /// The number of deliveries that wait here for a place, of all receivers.
    package private(set) var waiting = 0
    private var holders: [Int64: Holder] = [:]
    /// The number of deliveries that may wait here, by receiver; 0 for a receiver without an entry.
    private var windows: [Int64: Int] = [:]
    /// The number of taken places.
    package private(set) var inUse = 0

    /// Creates a replica's places, all free.
    ///
    /// - Parameters:
    ///   - total: how many there are, at least 1.
    ///   - each: at most so many for one receiver, at least 1.
    package init(total: Int, each: Int) {
        precondition(total >= 1 && each >= 1, "there is a place")
        self.total = total
        self.each = each
    }

    /// Receivers that hold all the places that they may; their due deliveries need not be read.
    package var full: [Int64] {
        holders.filter {
            $0.value.count >= limit($0.value.standing) && roomAhead(of: $0.key) == 0
        }
        .map(\.key).sorted()
    }

    /// The number of places that a receiver holds.
    package func held(by receiver: Int64) -> Int { holders[receiver]?.count ?? 0 }

    /// The number of deliveries that wait here for a place at a receiver.
    package func waiting(for receiver: Int64) -> Int { holders[receiver]?.waiting ?? 0 }

    /// Whether so few deliveries wait for a receiver that more of them may be claimed.
    package func isLow(_ receiver: Int64) -> Bool { roomAhead(of: receiver) > 0 }

    /// Whether a try of a receiver may begin at once.
    package func hasPlace(for receiver: Int64, _ standing: ReceiverStanding) -> Bool {
        inUse < total && held(by: receiver) < limit(holders[receiver]?.standing ?? standing)
    }

    /// A try begins.
    package mutating func take(_ receiver: Int64, _ standing: ReceiverStanding) {
        inUse += 1
        holders[receiver, default: Holder(count: 0, standing: standing)].count += 1
        holders[receiver]?.standing = standing
    }

    /// A claimed delivery waits until a try of the same receiver ends.
    ///
    /// - Returns: false where none is under way or the last one had no answer: nothing waits then.
    package mutating func wait(for receiver: Int64) -> Bool {
        guard let holder = holders[receiver], holder.standing == .answering else { return false }
        holders[receiver]?.waiting += 1
        waiting += 1
        return true
    }

    /// A try ended with an answer, and one that waited takes its place.
    ///
    /// - Parameters:
    ///   - receiver: the receiver of both.
    ///   - isQuick: whether the answer came soon.
    /// - Precondition: one waits.
    package mutating func pass(_ receiver: Int64, isQuick: Bool) {
        precondition(waiting(for: receiver) > 0, "one waits for the place")
        holders[receiver]?.standing = .answering
        holders[receiver]?.waiting -= 1
        waiting -= 1
        learn(receiver, isQuick: isQuick)
    }

    /// Drops the waiting deliveries of a receiver; the caller gives them back.
    package mutating func clearWaiting(for receiver: Int64) {
        waiting -= waiting(for: receiver)
        holders[receiver]?.waiting = 0
        windows[receiver] = nil
    }

    /// A try ended; `standing` is the receiver's new standing, nil for no change.
    ///
    /// - Precondition: the last one of a receiver goes when none waits for its place.
    package mutating func release(
        _ receiver: Int64, _ standing: ReceiverStanding?, isQuick: Bool = false
    ) {
        guard let holder = holders[receiver] else { return }
        inUse -= 1
        learn(receiver, isQuick: isQuick)
        guard holder.count > 1 else {
            precondition(holder.waiting == 0, "what waits takes the place")
            holders[receiver] = nil
            return
        }
        holders[receiver]?.count -= 1
        holders[receiver]?.standing = standing ?? holder.standing
    }

    private mutating func learn(_ receiver: Int64, isQuick: Bool) {
        let window = windows[receiver] ?? 0
        let next = isQuick ? min(DeliveryPlaces.aheadEach, window + 1) : window / 2
        windows[receiver] = next == 0 ? nil : next
        // The windows of receivers without a place are forgotten, to bound the table; they begin
        // anew.
        if windows.count > 2 * total { windows = windows.filter { holders[$0.key] != nil } }
    }

    /// The number of further deliveries that may be claimed and wait for a receiver; 0 if there are
    /// too few to be worth a claim.
    private func roomAhead(of receiver: Int64) -> Int {
        let window = windows[receiver] ?? 0
        let holder = holders[receiver]
        guard holder?.standing ?? .answering == .answering, waiting < total,
            (holder?.waiting ?? 0) * 2 < window
        else { return 0 }
        return min(total - waiting, window - (holder?.waiting ?? 0))
    }

    /// Grants the free places to receivers.
    ///
    /// - Parameter due: receivers with something due, each once.
    /// - Returns: places for some of them, or what may wait for one; what is not used stays free.
    package func grants(for due: [DueReceiver]) -> [Grant] {
        var free = total - inUse
        guard free > 0 else { return [] }
        let due = due.sorted { ($0.dueAt, $0.number) < ($1.dueAt, $1.number) }
        var silent = places(of: [.silent])
        var unproven = places(of: [.silent, .untried])
        var grants: [Grant] = []
        var places: [Int64: Int] = [:]
        for receiver in due where free > 0 && held(by: receiver.number) == 0 {
            if receiver.standing != .answering {
                guard unproven < max(1, total * 3 / 4) else { continue }
                if receiver.standing == .silent {
                    guard silent < max(1, total / 2) else { continue }
                    silent += 1
                }
                unproven += 1
            }
            free -= 1
            places[receiver.number] = grants.count
            grants.append(Grant(receiver: receiver.number, count: 1))
        }
        var extra = total / 2 - holders.values.reduce(0) { $0 + $1.count - 1 }
        let growing = due.filter { $0.standing == .answering }
        for level in stride(from: 1, to: each, by: 1) {
            for receiver in growing where free > 0 && extra > 0 {
                let place = places[receiver.number]
                let granted = place.map { grants[$0].count } ?? 0
                guard held(by: receiver.number) + granted == level else { continue }
                free -= 1
                extra -= 1
                if let place {
                    grants[place].count += 1
                } else {
                    places[receiver.number] = grants.count
                    grants.append(Grant(receiver: receiver.number, count: 1))
                }
            }
        }
        guard free > 0, extra > 0 else { return grants }
        var room = total - waiting
        for receiver in growing where room > 0 {
            let ahead = min(room, roomAhead(of: receiver.number))
            guard ahead > 0 else { continue }
            room -= ahead
            if let place = places[receiver.number] {
                grants[place].ahead = ahead
            } else {
                grants.append(Grant(receiver: receiver.number, count: 0, ahead: ahead))
            }
        }
        return grants
    }

    private func limit(_ standing: ReceiverStanding) -> Int { standing == .answering ? each : 1 }

    private func places(of standings: Set<ReceiverStanding>) -> Int {
        holders.values.filter { standings.contains($0.standing) }.reduce(0) { $0 + $1.count }
    }
}
