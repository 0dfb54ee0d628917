// Sends events as they come.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Platform
internal import Store

/// One open stream of events.
struct EventStream: Sendable {
    /// The journal that is read.
    let journal: Journal
    /// The events that are read.
    let query: JournalQuery
    /// The events that are sent, by their types.
    ///
    /// For one download all events are read, because the stream ends behind the last one.
    let shown: EventSet
    /// The form of the downloads in the events' data.
    var view = DownloadView.whole
    /// The latest end of the stream.
    let end: ContinuousClock.Instant?
    /// Logs a failure of the store.
    let report: @Sendable (StoreError) -> Void
    /// The longest time without a byte.
    var silence: Duration = .seconds(15)
    /// The entry of this stream among the readers; nil for one that reads no ends of downloads.
    var reading: EventReading?
    /// The progress of running downloads; nil if it is not sent.
    var listener: ProgressListener?
    /// The request, whose key has to be valid as long as the stream is open.
    var call: Call?

    static let pageEvents = 100
    private static let stoppedAtMost = 4096
    private static let partBytes = 1 << 15

    /// The state of a stream.
    struct Progress: Sendable {
        /// The place behind the sent events.
        var place: JournalPosition?
        /// The mark from before the page was read.
        var mark: Journal.Mark
        /// The page that is sent next.
        var page: JournalPage
        /// The type of the last event that was read.
        var last: EventType?
        /// The progress of downloads from before the page was read, sent after the page.
        var news: ProgressUpdate?
        /// Downloads that have stopped, and when that was read; older progress of them is dropped.
        var stopped: [String: Int64] = [:]
        /// The instant before which all progress is dropped, because `stopped` was full.
        var deafUntil = Int64.min

        mutating func stop(_ download: String) {
            let now = SystemClock.bootNanoseconds()
            stopped[download] = now
            guard stopped.count > EventStream.stoppedAtMost else { return }
            (stopped, deafUntil) = ([:], now)
        }
    }

    /// Sends events until the client leaves, the service stops, the time is over or the one
    /// download has ended.
    ///
    /// The reason is written as a comment before the end. If the key no longer opens the stream, it
    /// ends with an event.
    func run(_ start: Progress, opening: String, to writer: BodyWriter) async {
        call?.key?.enter()
        defer { call?.key?.leave() }
        await reading?.begin(at: start.place)
        await send(start, opening: opening, to: writer)
        await reading?.end(lingering: .zero)
    }

    private func send(_ start: Progress, opening: String, to writer: BodyWriter) async {
        var progress = start
        var spoken = ContinuousClock.now
        guard await writer.write(Array(opening.utf8)) else { return }
        while !Task.isCancelled {
            if let problem = await call?.keyRefusal() {
                _ = await writer.write(ending(problem))
                return
            }
            let isEmpty = progress.page.events.isEmpty
            if !isEmpty || progress.page.gap != nil {
                guard await send(&progress, to: writer) else { return }
                await reading?.delivered(progress.place)
                spoken = .now
            }
            // There may be further events behind those of the page.
            let isPartial = progress.page.resumption != nil
            if let place = progress.page.resumption { progress.place = place }
            if isEmpty, !isPartial {
                if progress.news != nil {
                    let (isSent, isOpen) = await sendNews(&progress, to: writer)
                    guard isOpen else { return }
                    if isSent { spoken = .now }
                }
                if case .download = query.scope, progress.last?.stateAfter?.isTerminal == true {
                    return
                }
            }
            if isEmpty, let end, end <= .now { break }
            do throws(StoreError) {
                if isEmpty, !isPartial {
                    let quiet = ContinuousClock.now + silence
                    var until = min(spoken + silence, end ?? quiet)
                    if let key = call?.key { until = min(until, .now + key.patience) }
                    await reading?.delivered(progress.place)
                    if reading?.isBehind == true { until = min(until, .now + .seconds(1)) }
                    try await journal.wait(
                        past: progress.mark, in: query.scope, listener: listener,
                        soon: progress.last != nil, upTo: until - .now)
                    progress.last = nil
                }
                try await read(&progress)
            } catch {
                guard !Task.isCancelled else { break }
                report(error)
                _ = await writer.write(comment(EventStream.databaseIsSilent))
                return
            }
            if ContinuousClock.now - silence >= spoken {
                guard await writer.write(comment("keepalive")) else { return }
                spoken = .now
            }
        }
        let words =
            Task.isCancelled
            ? "the service is stopping, connect again" : "the time of this stream is over"
        _ = await writer.write(comment(words))
    }

    private func read(_ progress: inout Progress) async throws(StoreError) {
        progress.mark = journal.mark
        if let news = listener?.take(), news.askedAt > progress.deafUntil {
            progress.news = news
            progress.stopped = progress.stopped.filter { $0.value >= news.askedAt }
        }
        progress.page = try await journal.read(
            query, after: progress.place, limit: EventStream.pageEvents)
    }

    /// Sends a page; false if the client has left.
    private func send(_ progress: inout Progress, to writer: BodyWriter) async -> Bool {
        var text = ""
        if let gap = progress.page.gap {
            let oldest = progress.page.events.first?.position ?? gap
            text += EventText.gap(gap, oldest: oldest, journal.names)
            progress.place = gap
        }
        for event in progress.page.events {
            progress.place = event.position
            progress.last = event.message.type
            if listener != nil, event.message.type.stateAfter != .running {
                progress.stop(event.message.subject)
            }
            guard shown.contains(event.message) else { continue }
            text += EventText.event(event, journal.names, for: call?.presentGrant, view)
            if text.utf8.count >= EventStream.partBytes {
                guard await writer.write(Array(text.utf8)) else { return false }
                text = ""
            }
        }
        return await writer.write(Array(text.utf8))
    }

    /// Sends the progress of downloads, except those that have stopped since.
    private func sendNews(
        _ progress: inout Progress, to writer: BodyWriter
    ) async -> (isSent: Bool, isOpen: Bool) {
        guard let news = progress.news else { return (false, true) }
        progress.news = nil
        var text = ""
        for note in news.notes
        where progress.stopped[note.download.text] == nil
            && shown.contains(.progress, of: note.download)
        {
            text += EventText.progress(note, view)
        }
        guard !text.isEmpty else { return (false, true) }
        return (true, await writer.write(Array(text.utf8)))
    }

    private static let databaseIsSilent = "the database does not answer, connect again"

    /// The end of a stream whose key no longer opens it, or may not.
    private func ending(_ problem: Problem) -> [UInt8] {
        guard problem.kind != .databaseUnavailable else {
            return comment(EventStream.databaseIsSilent)
        }
        return Array(EventText.ending(problem).utf8)
    }

    private func comment(_ words: String) -> [UInt8] { Array(EventText.comment(words).utf8) }
}
