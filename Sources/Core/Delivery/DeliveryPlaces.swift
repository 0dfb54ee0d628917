// Which receivers get the places of a replica for webhooks.

/// The places of one replica for tries under way, and who holds them.
///
/// Whoever holds none comes before who holds one, the longest due first. A receiver that did not
/// answer its last try, or was never tried, holds one place. Together the silent ones hold at most
/// half of all places, and with the untried ones three quarters; places beyond the first of each
/// receiver are at most half of all. So a receiver that answers finds a place, however many others
/// are silent.
package struct DeliveryPlaces: Sendable {
    /// A receiver with something due.
    package struct DueReceiver: Equatable, Sendable {
        /// Its number.
        package let number: Int64
        /// What is known of it.
        package let standing: ReceiverStanding
        /// Since when something is due.
        package let dueAt: Timestamp

        /// Names all of it.
        package init(number: Int64, standing: ReceiverStanding, dueAt: Timestamp) {
            self.number = number
            self.standing = standing
            self.dueAt = dueAt
        }
    }

    /// Places for a receiver.
    package struct Grant: Equatable, Sendable {
        /// Its number.
        package let receiver: Int64
        /// How many tries may begin.
        package var count: Int

        /// Names both.
        package init(receiver: Int64, count: Int) {
            self.receiver = receiver
            self.count = count
        }
    }

    private struct Holder {
        var count: Int
        var standing: ReceiverStanding
    }

    private let total: Int
    private let each: Int
    private var holders: [Int64: Holder] = [:]
    /// How many are taken.
    package private(set) var inUse = 0

    /// Places that are free.
    ///
    /// - Parameters:
    ///   - total: how many there are, at least 1.
    ///   - each: at most so many for one receiver, at least 1.
    package init(total: Int, each: Int) {
        precondition(total >= 1 && each >= 1, "there is a place")
        self.total = total
        self.each = each
    }

    /// Receivers that hold all that they may; it makes no sense to read what is due for them.
    package var full: [Int64] {
        holders.filter { $0.value.count >= limit($0.value.standing) }.map(\.key).sorted()
    }

    /// How many places a receiver holds.
    package func held(by receiver: Int64) -> Int { holders[receiver]?.count ?? 0 }

    /// A try begins.
    package mutating func take(_ receiver: Int64, _ standing: ReceiverStanding) {
        inUse += 1
        holders[receiver, default: Holder(count: 0, standing: standing)].count += 1
        holders[receiver]?.standing = standing
    }

    /// A try ended; what is known of the receiver is `standing` from now on, nil for no change.
    package mutating func release(_ receiver: Int64, _ standing: ReceiverStanding?) {
        guard let holder = holders[receiver] else { return }
        inUse -= 1
        guard holder.count > 1 else {
            holders[receiver] = nil
            return
        }
        holders[receiver] = Holder(
            count: holder.count - 1, standing: standing ?? holder.standing)
    }

    /// Who gets how many of the free places.
    ///
    /// - Parameter due: receivers with something due, each once.
    /// - Returns: places for some of them, at least one each; what is not used stays free.
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
        return grants
    }

    private func limit(_ standing: ReceiverStanding) -> Int { standing == .answering ? each : 1 }

    private func places(of standings: Set<ReceiverStanding>) -> Int {
        holders.values.filter { standings.contains($0.standing) }.reduce(0) { $0 + $1.count }
    }
}
