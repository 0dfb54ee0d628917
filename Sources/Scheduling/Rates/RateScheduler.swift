// Schedules receiving under rate limits: token buckets with fair turns among their transfers.

/// Grants transfers turns of a number of bytes each, so that every limit holds.
///
/// A transfer draws from the buckets of its scopes in order, the narrow ones first. At an empty
/// bucket it waits in line, so that all transfers of a rank that share the bucket get equal numbers
/// of bytes, however fast each could be, and ranks get theirs by weights (8 : 4 : 2 : 1). A turn is
/// drawn whole before its bytes arrive; its unused bytes are refunded. Times are nanoseconds since
/// boot.
package struct RateScheduler: Sendable {
    /// The number of ranks.
    package static let ranks = 4
    /// The most bytes that libcurl hands over at once (CURL_MAX_WRITE_SIZE).
    static let chunkBytes = 16_384.0
    /// The grid of turns, in nanoseconds, so that many transfers share a wake-up: 20 ms.
    package static let tick: Int64 = 20_000_000

    /// Bytes that a transfer may receive from now on.
    package struct Grant: Equatable, Sendable {
        /// The transfer's number.
        package let transfer: Int
        /// The number of bytes; nil without a limit.
        package let bytes: Int64?
    }

    private struct User {
        var scopes: [RateScope]
        var own: Int64?
        var rank: Int
        /// The indices of its buckets, the narrow ones first.
        var buckets: [Int] = []
        /// The bytes of a turn that comes without waiting.
        var quantum = 0.0
        /// The bytes of the turn that was drawn from some of its buckets so far.
        var turn = 0.0
        /// The bucket for which it waits, an index of `buckets`; nil while it does not wait.
        var stage: Int?
        var ticket: UInt64 = 0
        /// The number of its last turn.
        var servedAt: UInt64 = 0
    }

    private var limits: [RateScope: Int64] = [:]
    private var users: [Int: User] = [:]
    private var buckets: [RateBucket?] = []
    private var free: [Int] = []
    private var places: [RateScope: Int] = [:]
    private var heap = RateHeap<RateDue>()
    private var tickets: UInt64 = 0

    /// Creates a scheduler without limits.
    package init() {}

    /// The limits in force, without those of single transfers.
    package var currentLimits: [RateScope: Int64] { limits }

    /// The number of transfers that wait for a turn.
    package var waitingCount: Int { users.values.count { $0.stage != nil } }

    /// The number of transfers that draw from a bucket.
    package var limitedCount: Int { users.count }

    /// Whether a limit applies to a transfer.
    package func isLimited(_ transfer: Int) -> Bool { users[transfer] != nil }

    /// The time at which `advance` is due; `Int64.max` for never.
    package var nextWake: Int64 { heap.first?.due ?? .max }

    /// Registers a transfer if any limit applies to it.
    ///
    /// - Parameters:
    ///   - transfer: its number, not in use.
    ///   - scopes: what it belongs to, the narrow ones first.
    ///   - own: its own limit in bytes a second, above 0; nil for none.
    ///   - rank: 0, the most urgent, to 3.
    ///   - now: the instant.
    /// - Returns: false if nothing limits it.
    package mutating func join(
        _ transfer: Int, scopes: [RateScope], own: Int64?, rank: Int, now: Int64
    ) -> Bool {
        precondition(users[transfer] == nil, "a number names one transfer")
        var user = User(
            scopes: scopes, own: own, rank: min(max(rank, 0), RateScheduler.ranks - 1))
        place(&user, transfer, now: now)
        guard !user.buckets.isEmpty else { return false }
        user.servedAt = tickets
        users[transfer] = user
        return true
    }

    /// Removes a transfer.
    ///
    /// - Parameters:
    ///   - transfer: its number; one that never joined is ignored.
    ///   - unused: bytes of its last turn that were not received.
    package mutating func leave(_ transfer: Int, unused: Int64) {
        guard let user = users.removeValue(forKey: transfer) else { return }
        for (index, place) in user.buckets.enumerated() {
            let isDrawn = index < user.stage ?? 0
            let bytes = Double(max(0, unused)) + (isDrawn ? user.turn : 0)
            buckets[place]?.refund(bytes)
            drop(place)
        }
    }

    /// Asks for a turn.
    ///
    /// - Returns: bytes that it may receive now; nil if it has to wait, and gets
    ///   its turn from a later `advance`.
    package mutating func ask(_ transfer: Int, now: Int64) -> Int64? {
        guard var user = users[transfer] else { return .max }
        guard user.stage == nil else { return nil }
        user.turn = user.quantum
        let bytes = pass(&user, transfer, from: 0, now: now)
        users[transfer] = user
        return bytes
    }

    /// Grants the turns that are due.
    package mutating func advance(now: Int64) -> [Grant] {
        var grants: [Grant] = []
        while let due = heap.first, due.due <= now {
            _ = heap.popFirst()
            serve(due.place, now: now, into: &grants)
        }
        return grants
    }

    /// Puts other limits in force.
    ///
    /// - Parameters:
    ///   - new: bytes a second, 0 or more, of every scope that has a limit.
    ///   - now: the instant.
    /// - Returns: turns for transfers that no longer wait.
    package mutating func replaceLimits(
        _ new: [RateScope: Int64], now: Int64
    ) -> [Grant] {
        guard new != limits else { return [] }
        limits = new
        return rearrange(now: now)
    }

    /// Gives one transfer another limit of its own; nil for none.
    ///
    /// - Returns: turns for transfers that no longer wait. A transfer that was not limited
    ///   before must `join`.
    package mutating func changeOwnLimit(
        _ own: Int64?, of transfer: Int, now: Int64
    ) -> [Grant] {
        guard let user = users[transfer], user.own != own else { return [] }
        users[transfer]?.own = own
        return rearrange(now: now)
    }

    /// Walks from bucket to bucket; nil at the first empty one.
    private mutating func pass(
        _ user: inout User, _ transfer: Int, from first: Int, now: Int64
    ) -> Int64? {
        for stage in first..<user.buckets.count {
            let place = user.buckets[stage]
            buckets[place]?.fill(now: now)
            guard buckets[place]?.isFree(now: now) == true else {
                tickets += 1
                user.stage = stage
                user.ticket = tickets
                buckets[place]?.enqueue(
                    RateTurn(transfer: transfer, servedAt: user.servedAt, ticket: tickets),
                    rank: user.rank)
                schedule(place, now: now)
                return nil
            }
            // No bucket grants much more than it has, whatever the narrower ones allow.
            let room = max(buckets[place]?.tokens ?? 0, RateScheduler.chunkBytes)
            if user.turn > room { resize(&user, to: room, drawn: stage) }
            buckets[place]?.draw(user.turn)
        }
        user.stage = nil
        tickets += 1
        user.servedAt = tickets
        return Int64(user.turn)
    }

    private mutating func serve(_ place: Int, now: Int64, into grants: inout [Grant]) {
        buckets[place]?.isScheduled = false
        buckets[place]?.fill(now: now)
        buckets[place]?.contend(now: now)
        let shares = buckets[place]?.shares ?? []
        while buckets[place]?.hasTokens == true, let (turn, rank) = buckets[place]?.next() {
            guard var user = users[turn.transfer], user.ticket == turn.ticket,
                let stage = user.stage
            else { continue }
            resize(
                &user, to: min(shares[rank], room(for: user, before: stage, now: now)), drawn: stage
            )
            buckets[place]?.draw(user.turn)
            buckets[place]?.serve(rank, user.turn)
            if let bytes = pass(&user, turn.transfer, from: stage + 1, now: now) {
                grants.append(Grant(transfer: turn.transfer, bytes: bytes))
            }
            users[turn.transfer] = user
        }
        schedule(place, now: now)
        release(place)
    }

    /// Changes the size of a turn and settles the difference with its buckets.
    private mutating func resize(_ user: inout User, to bytes: Double, drawn stages: Int) {
        for place in user.buckets[..<stages] { buckets[place]?.refund(user.turn - bytes) }
        user.turn = bytes
    }

    /// The largest turn that the buckets before a stage allow.
    private mutating func room(for user: User, before stage: Int, now: Int64) -> Double {
        var room = Double.infinity
        for place in user.buckets[..<stage] {
            buckets[place]?.fill(now: now)
            room = min(room, user.turn + max(0, buckets[place]?.tokens ?? 0))
        }
        return room
    }

    private mutating func schedule(_ place: Int, now: Int64) {
        guard let bucket = buckets[place], !bucket.isScheduled, bucket.hasWaiting,
            let wait = bucket.nanosecondsUntilFree
        else { return }
        buckets[place]?.isScheduled = true
        let due = now + wait
        heap.insert(
            RateDue(
                due: (due + RateScheduler.tick - 1) / RateScheduler.tick * RateScheduler.tick,
                place: place))
    }

    /// Finds the buckets of a transfer, and creates missing ones.
    private mutating func place(_ user: inout User, _ transfer: Int, now: Int64) {
        user.buckets = []
        user.quantum = 16 * RateScheduler.chunkBytes
        var wanted: [(RateScope, Int64)] = []
        if let own = user.own { wanted.append((.transfer(transfer), own)) }
        for scope in user.scopes {
            if let limit = limits[scope] { wanted.append((scope, limit)) }
        }
        for (scope, limit) in wanted {
            let place =
                places[scope] ?? add(RateBucket(scope, bytesPerSecond: limit, now: now))
            buckets[place]?.users += 1
            user.buckets.append(place)
            user.quantum = min(user.quantum, buckets[place]?.quantum ?? user.quantum)
        }
    }

    private mutating func add(_ bucket: RateBucket) -> Int {
        let place: Int
        if let unused = free.popLast() {
            place = unused
            buckets[place] = bucket
        } else {
            place = buckets.count
            buckets.append(bucket)
        }
        places[bucket.scope] = place
        return place
    }

    private mutating func drop(_ place: Int) {
        buckets[place]?.users -= 1
        release(place)
    }

    /// Removes a bucket without users.
    ///
    /// A shared limit keeps its bucket, so that the next user finds the tokens as they were left.
    /// A bucket in the heap is removed when it is due.
    private mutating func release(_ place: Int) {
        guard let bucket = buckets[place], bucket.users == 0, limits[bucket.scope] == nil,
            !bucket.isScheduled
        else { return }
        places[bucket.scope] = nil
        buckets[place] = nil
        free.append(place)
    }

    /// Assigns all buckets anew after a change of limits; waiting transfers ask again in order.
    private mutating func rearrange(now: Int64) -> [Grant] {
        heap = RateHeap()
        for place in buckets.indices where buckets[place] != nil { settle(place, now: now) }
        let waiting = users.filter { $0.value.stage != nil }
            .sorted { $0.value.ticket < $1.value.ticket }.map(\.key)
        var freed: [Int] = []
        for (transfer, old) in users {
            var user = old
            for (index, place) in old.buckets.enumerated() {
                if index < old.stage ?? 0 { buckets[place]?.refund(old.turn) }
                buckets[place]?.users -= 1
            }
            user.stage = nil
            place(&user, transfer, now: now)
            users[transfer] = user
            if user.buckets.isEmpty { freed.append(transfer) }
        }
        for transfer in freed { users[transfer] = nil }
        for place in buckets.indices { release(place) }
        var grants = freed.sorted().map { Grant(transfer: $0, bytes: nil) }
        for transfer in waiting where users[transfer] != nil {
            if let bytes = ask(transfer, now: now) {
                grants.append(Grant(transfer: transfer, bytes: bytes))
            }
        }
        return grants
    }

    /// Gives a bucket its new limit and empties its queues.
    private mutating func settle(_ place: Int, now: Int64) {
        guard var bucket = buckets[place] else { return }
        bucket.fill(now: now)
        bucket.clear()
        bucket.isScheduled = false
        let limit: Int64? =
            if case .transfer(let number) = bucket.scope {
                users[number]?.own
            } else {
                limits[bucket.scope]
            }
        if let limit { bucket.change(bytesPerSecond: limit) }
        buckets[place] = bucket
    }
}
