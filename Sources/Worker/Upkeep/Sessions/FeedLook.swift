// The end of a look at a feed: its document is read, and its new items are queued.
internal import Base
internal import Downloads
internal import Feeds
internal import Platform
internal import Scheduling
internal import Store

/// A look at a feed that has ended with the feed's document.
struct FeedLook: Sendable {
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

    /// Reads the document, and queues the items that are new.
    ///
    /// - Returns: what was read; nil to read it later.
    /// - Throws: `unavailable`, `overloaded` or `refused`: it is read once more.
    func read(
        by actions: LookActions, _ worker: isolated DownloadWorker
    ) async throws(StoreError) -> FeedReading? {
        var reading = FeedReading(for: source)
        let bytes: [UInt8]
        switch await actions.document(record, source) {
        case .bytes(let found): bytes = found
        case .unavailable(let cause):
            let ended = record.download.completedAt ?? source.readAt
            guard source.readAt - ended > FeedLook.patience else { return nil }
            reading.fault = FeedReading.Fault("content_unavailable", cause)
            return reading
        case .gone(let reason):
            reading.fault = FeedReading.Fault("content_unavailable", reason)
            return reading
        }
        let feed: Feed
        switch await FeedLook.parse(bytes, record.download.result.response) {
        case .success(let found): feed = found
        case .failure(let fault):
            reading.fault = FeedReading.Fault("feed_" + fault.reason.rawValue, "\(fault)")
            return reading
        }
        try await queue(feed, into: &reading, by: actions, worker)
        return reading
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
        _ feed: Feed, into reading: inout FeedReading, by actions: LookActions,
        _ worker: isolated DownloadWorker
    ) async throws(StoreError) {
        let selection = source.spec.selection ?? ItemSelection()
        reading.keys = selection.keys(of: feed)
        (reading.told, reading.quiet) = (feed.ttl, QuietTimes(of: feed))
        let id = record.download.id
        var known: Set<String>?
        if source.known.isRead {
            known = try await worker.downloads.sources.known(
                reading.keys, of: source.number, before: id)
        }
        let plan = selection.plan(feed, known: known)
        reading.passedOver = plan.passedOver.map { SourceItem($0) }
        let queued = try await actions.queue(plan.chosen, source, id)
        reading.left = Int64(queued.left)
        if let reason = queued.fault { reading.fault = FeedReading.Fault(reason, "no item queued") }
        for (key, reason) in queued.refused {
            worker.log.warn(
                "an item of a feed has no download",
                names + [("key", .string(key)), ("reason", .string(reason))])
        }
        for left in feed.leftOut {
            worker.log.warn(
                "an item of a feed cannot be used",
                names + [
                    ("line", .integer(Int64(left.line))), ("column", .integer(Int64(left.column))),
                    ("reason", .string(left.reason.rawValue)),
                ])
        }
        worker.looks.countItems(.refused, queued.refused.count + feed.leftOut.count)
        worker.looks.countItems(.left, queued.left)
        worker.looks.countItems(.passedOver, plan.passedOver.count)
    }

    private var names: [(String, LogValue)] {
        [("source", .string(source.identifier)), ("app", .string(source.appName))]
    }
}
