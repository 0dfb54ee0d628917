// Takes in the looks that have ended, in turns of a bounded length.
internal import Base
internal import Downloads
internal import Platform
internal import Scheduling
internal import Store
internal import Synchronization

/// The ends of looks, of which each turn takes in some: first those behind the ones of the turn
/// before, so that a feed with many items holds no other look back.
struct LookEnds: Sendable {
    private static let endsAtOnce = 100
    /// The most ends that a turn takes in; an item that a feed queues counts as one.
    private static let endsOfTurn = 400
    /// The number of ends that the reading of a feed counts as.
    private static let endsOfReading = 8

    /// The end behind which the next turn goes on; nil for the first.
    private var last: Identifier?
    /// The places of the feeds whose items are queued in part.
    private var places: [Identifier: FeedLook.Place] = [:]
    /// The feeds among them that were met since the first end.
    private var met: Set<Identifier> = []

    /// Takes in looks that have ended; a feed that cannot be read now holds no other back.
    ///
    /// - Returns: whether others can be taken in at once.
    /// - Throws: what the store answered; the next turn goes on behind the end that caused it.
    mutating func take(_ worker: isolated DownloadWorker) async throws(StoreError) -> Bool {
        let isWhole = last == nil
        var (left, closed) = (LookEnds.endsOfTurn, 0)
        defer { if closed > 0 { LookEnds.tell(worker) } }
        while worker.isWorking {
            let ends = try await worker.downloads.sources.ends(
                after: last, limit: LookEnds.endsAtOnce)
            for end in ends where worker.isWorking {
                guard left > 0 else { return true }
                last = end.id
                let (count, isClosed) = try await takeIn(end.id, isFeed: end.isFeed, worker)
                left -= count
                if isClosed { closed += 1 }
            }
            guard ends.count == LookEnds.endsAtOnce else { break }
        }
        last = nil
        places = places.filter { met.contains($0.key) }
        met = []
        return !isWhole || !places.isEmpty
    }

    /// Takes in one look, or a part of the items of its feed.
    ///
    /// - Returns: the number of ends that it counts as, and whether it is taken in.
    private mutating func takeIn(
        _ id: Identifier, isFeed: Bool, _ worker: isolated DownloadWorker
    ) async throws(StoreError) -> (count: Int, isClosed: Bool) {
        let sources = worker.downloads.sources
        let actions = worker.lookActions.withLock { $0 }
        var (reading, count): (FeedReading?, Int) = (nil, 1)
        if isFeed, let ended = try await sources.ended(id),
            let look = FeedLook(ended.source, ended.download)
        {
            guard let actions else { return (1, false) }
            count = LookEnds.endsOfReading
            var place = places[id] ?? FeedLook.Place()
            switch try await look.read(from: &place, by: actions, worker) {
            case .later: return (count, false)
            case .goesOn(let handled):
                places[id] = place
                met.insert(id)
                return (count + handled, false)
            case .whole(let found, let handled):
                reading = found
                count += handled
            }
        }
        places[id] = nil
        guard let look = try await sources.close(id, reading) else { return (count, false) }
        LookEnds.note(look, worker)
        if let left = look.left { try await actions?.stop(left, look.source.app) }
        return (count, true)
    }

    private static func tell(_ worker: isolated DownloadWorker) {
        worker.delivered()
        worker.sessionsChanged()
        worker.bells[ContentRetention.self].ring()
    }

    private static func note(_ closed: ClosedLook, _ worker: isolated DownloadWorker) {
        worker.looks.count(closed.outcome)
        if let items = closed.items { worker.looks.countItems(.queued, Int(items)) }
        var names: [(String, LogValue)] = [
            ("source", .string(closed.source.identifier)),
            ("app", .string(closed.source.appName)),
            ("outcome", .string(closed.outcome.name)),
        ]
        if let items = closed.items { names.append(("items", .integer(items))) }
        if let reason = closed.reason { names.append(("reason", .string(reason))) }
        if let detail = closed.detail { names.append(("detail", .string(detail))) }
        if closed.items ?? 0 > 0 {
            worker.log.info("items of a feed were queued", names)
        } else if closed.detail != nil {
            worker.log.warn("feed could not be read", names)
        } else {
            worker.log.debug("look of a source ended", names)
        }
        guard closed.needsAttention else { return }
        worker.log.warn(
            "source needs attention, and looks once a day until a look succeeds",
            names + [("failures", .integer(closed.source.timetable.failures))])
    }
}
