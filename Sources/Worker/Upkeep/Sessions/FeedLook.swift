// The end of a look at a feed: its document is read, and its new items are queued.
internal import Base
internal import Downloads
internal import Feeds
internal import Platform
internal import Scheduling
internal import Store

/// A look at a feed that has ended with the feed's document.
struct FeedLook: Sendable {
    /// The place up to which the items of a document were handled.
    ///
    /// It only saves work: a replica that does not have it begins anew, and passes over the items
    /// that are queued already.
    struct Place: Sendable {
        /// The version of the source's document, by which the items were chosen.
        var version: Int64 = 0
        /// The number of chosen items that were handled.
        var count = 0
    }

    /// The result of one part of a look's items.
    enum Part: Sendable {
        /// The document cannot be read now.
        case later
        /// A number of items was handled; the other items are left for the next part.
        case goesOn(handled: Int)
        /// All items were handled, the last of them in this part.
        case whole(FeedReading, handled: Int)
    }

    /// The most items of a part; the ends of other looks, and what is due, come before the next.
    private static let itemsAtOnce = 100

    /// The time for which a document is waited for that cannot be read.
    private static let patience = Duration.seconds(600)

    /// The source as it was read.
    let source: SourceRecord
    /// The download of the look.
    let record: DownloadRecord

    /// The look, if its document has to be read; nil for one that failed or found no change.
    init?(_ source: SourceRecord, _ record: DownloadRecord?) {
        guard let record, record.download.state == .succeeded,
            record.download.result.unchanged == nil, record.download.result.content != nil,
            source.timetable.running?.hasOldURL != true
        else { return nil }
        (self.source, self.record) = (source, record)
    }

    /// Reads the document, and queues the next part of the items that are new.
    ///
    /// - Parameters:
    ///   - place: the place behind the part before; it is moved on.
    ///   - actions: the functions that read the document and queue items.
    ///   - worker: the worker.
    /// - Returns: what was read.
    /// - Throws: `unavailable`, `overloaded` or `refused`: the part is read once more.
    func read(
        from place: inout Place, by actions: LookActions, _ worker: isolated DownloadWorker
    ) async throws(StoreError) -> Part {
        if place.version != source.version { place = Place(version: source.version) }
        var reading = FeedReading(for: source)
        let bytes: [UInt8]
        switch await actions.document(record, source) {
        case .bytes(let found): bytes = found
        case .unavailable(let cause):
            let ended = record.download.completedAt ?? source.readAt
            guard source.readAt - ended > FeedLook.patience else { return .later }
            reading.fault = FeedReading.Fault("content_unavailable", cause)
            return .whole(reading, handled: 0)
        case .gone(let reason):
            reading.fault = FeedReading.Fault("content_unavailable", reason)
            return .whole(reading, handled: 0)
        }
        switch await FeedLook.parse(bytes, record.download.result.response) {
        case .success(let feed):
            return try await queue(feed, from: &place, into: reading, by: actions, worker)
        case .failure(let fault):
            reading.fault = FeedReading.Fault("feed_" + fault.reason.rawValue, "\(fault)")
            return .whole(reading, handled: 0)
        }
    }

    @concurrent private static func parse(
        _ bytes: [UInt8], _ response: OriginResponse?
    ) async -> Result<Feed, FeedFault> {
        let url: SourceURL
        do throws(SourceURLError) {
            url = try SourceURL(parsing: response?.url ?? "")
        } catch {
            return .failure(FeedFault(.notAFeed, detail: "its answer has no address"))
        }
        do throws(FeedFault) {
            return .success(
                try FeedReader.read(bytes, from: url, contentType: response?.headers.contentType))
        } catch {
            return .failure(error)
        }
    }

    private func queue(
        _ feed: Feed, from place: inout Place, into reading: FeedReading, by actions: LookActions,
        _ worker: isolated DownloadWorker
    ) async throws(StoreError) -> Part {
        let selection = source.spec.selection ?? ItemSelection()
        let keys = selection.keys(of: feed)
        let (known, written) = try await worker.downloads.sources.known(
            keys, of: source.number, by: record.download.id)
        let plan = selection.plan(feed, known: source.known.isRead ? known : nil)
        let open = plan.chosen.enumerated().dropFirst(place.count)
            .filter { !written.contains($0.element.key) }
        let part = open.prefix(FeedLook.itemsAtOnce)
        if place.count == 0 { warn(of: feed.leftOut, worker) }
        let queued = try await actions.queue(
            part.map(\.element), source, record.download.id, Int64(written.count))
        warn(of: queued.refused, worker)
        place.count = part.last.map { $0.offset + 1 } ?? plan.chosen.count
        if queued.fault == nil, queued.left == 0, part.count < open.count {
            return .goesOn(handled: part.count)
        }
        var reading = reading
        reading.keys = keys
        (reading.told, reading.quiet) = (feed.ttl, QuietTimes(of: feed))
        reading.passedOver = plan.passedOver.map { SourceItem($0) }
        worker.looks.countItems(.passedOver, plan.passedOver.count)
        if let reason = queued.fault {
            reading.fault = FeedReading.Fault(reason, "no item queued")
        } else if queued.left > 0 {
            reading.left = Int64(queued.left + open.count - part.count)
            worker.looks.countItems(.left, Int(reading.left))
        }
        return .whole(reading, handled: part.count)
    }

    private func warn(
        of refused: [(key: String, reason: String)], _ worker: isolated DownloadWorker
    ) {
        worker.looks.countItems(.refused, refused.count)
        for (key, reason) in refused {
            worker.log.warn(
                "an item of a feed has no download",
                names + [("key", .string(key)), ("reason", .string(reason))])
        }
    }

    private func warn(of leftOut: [LeftOutItem], _ worker: isolated DownloadWorker) {
        worker.looks.countItems(.refused, leftOut.count)
        for left in leftOut {
            worker.log.warn(
                "an item of a feed cannot be used",
                names + [
                    ("line", .integer(Int64(left.line))), ("column", .integer(Int64(left.column))),
                    ("reason", .string(left.reason.rawValue)),
                ])
        }
    }

    private var names: [(String, LogValue)] {
        [("source", .string(source.identifier)), ("app", .string(source.appName))]
    }
}
