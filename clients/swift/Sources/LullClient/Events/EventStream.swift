import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Events as they happen.
///
/// A connection that breaks is made again behind the last event that was read, for as long as the
/// reader reads: none is missed and none comes twice. Of progress, which is not in the journal, some
/// may be missed. A stream without a beginning begins with the next new event; if its connection
/// breaks before the first event, events of that time are missed.
public struct EventStream: AsyncSequence, Sendable {
    /// What a stream has.
    public typealias Element = JournalEvent
    /// How a stream fails.
    public typealias Failure = LullError

    let lull: Lull
    let segments: [String]
    let types: [EventName]?
    let session: String?
    let after: String?
    /// Is called when a connection is there, so that what happens from then on is read.
    package var onConnect: (@Sendable () -> Void)?

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(self)
    }

    /// Reads a stream; at most one task at a time may wait for its next event.
    public final class Iterator: AsyncIteratorProtocol {
        private let stream: EventStream
        private var place: String?
        private var connection: Connection?
        private var failures = 0

        fileprivate init(_ stream: EventStream) {
            self.stream = stream
            place = stream.after
        }

        /// The next event; nil when the download or upload whose events these are has ended, and
        /// when the task is canceled.
        public func next() async throws(LullError) -> JournalEvent? {
            while !Task.isCancelled {
                let connection = self.connection ?? stream.connect(after: place)
                self.connection = connection
                switch await connection.next() {
                case .frame(let frame):
                    failures = 0
                    if let id = frame.id { place = id }
                    if let event = try read(frame) { return event }
                case .end(let end):
                    self.connection = nil
                    guard try await goesOn(after: end) else { return nil }
                }
            }
            return nil
        }

        private func read(_ frame: StreamParser.Frame) throws(LullError) -> JournalEvent? {
            switch frame.event {
            case "unauthorized", "insufficient-scope":
                throw .problem(
                    Problem(
                        type: "/problems/\(frame.event)", title: frame.event,
                        status: frame.event == "unauthorized" ? 401 : 403,
                        code: Problem.Code(rawValue: frame.event),
                        detail: String(decoding: frame.data, as: UTF8.self)), retryAfter: nil)
            case "gap":
                // Events behind the place are not kept any more; the stream goes on with what is.
                return nil
            default:
                var event = try JSONForm.read(JournalEvent.self, from: Data(frame.data))
                event.cursor = frame.id
                return event
            }
        }

        /// Whether to connect again, after a pause.
        private func goesOn(after end: Exchange.End) async throws(LullError) -> Bool {
            switch end {
            case .success(let answer) where answer.status == 204: return false
            case .success(let answer) where answer.status < 300:
                // The service ends streams when it stops, and by `wait`.
                failures = Swift.max(failures, 1)
            case .success(let answer):
                let failure = answer.failure
                guard answer.status == 429 || answer.status >= 500 else { throw failure }
                failures += 1
            case .failure(.canceled): return !Task.isCancelled
            case .failure: failures += 1
            }
            let told: Int? = if case .success(let answer) = end { answer.retryAfter } else { nil }
            do {
                try await Lull.sleep(
                    Lull.pause(failures, told: told, longest: stream.lull.options.longestPause))
            } catch {
                return false
            }
            return true
        }
    }

    /// A connection and what came of it; it is ended when nobody has it any more.
    final class Connection: Sendable {
        private let inbox: Inbox
        private let stop: @Sendable (LullError) -> Void

        init(_ inbox: Inbox, stop: @escaping @Sendable (LullError) -> Void) {
            self.inbox = inbox
            self.stop = stop
        }

        deinit { stop(.canceled) }

        func next() async -> Inbox.Next {
            await withTaskCancellationHandler {
                await inbox.next()
            } onCancel: {
                stop(.canceled)
            }
        }
    }

    private func connect(after place: String?) -> Connection {
        var call = Call(.get, segments, operation: "listEvents", mayRepeat: true)
        call.query("types", types)
        call.query("session", session)
        call.query("after", place)
        call.field("Accept", "text/event-stream")
        let inbox = Inbox()
        var first = URLRequest(url: lull.server.appending(path: "livez"))
        first.timeoutInterval = 30
        let stop = lull.wire.start(
            lull.request(call), behind: first, take: { _, data in inbox.take(data) },
            begin: { [onConnect] status in if status == 200 { onConnect?() } }
        ) { inbox.end($0) }
        return Connection(inbox, stop: stop)
    }
}

extension Lull {
    /// The events of all downloads and uploads of the app, as they happen.
    ///
    /// - Parameters:
    ///   - after: the cursor behind which they begin; nil for the next new one.
    ///   - session: only those of this session.
    ///   - types: only these; nil for all, with progress.
    /// - Returns: the events; nothing is asked for before they are read.
    public func events(
        after: String? = nil, session: String? = nil, types: [EventName]? = nil
    ) -> EventStream {
        EventStream(
            lull: self, segments: ["v1", "events"], types: types, session: session, after: after)
    }

    /// The events of one download, from its first on; it ends after its last one.
    public func events(
        ofDownload id: String, after: String? = nil, types: [EventName]? = nil
    ) -> EventStream {
        EventStream(
            lull: self, segments: ["v1", "downloads", id, "events"], types: types, session: nil,
            after: after)
    }

    /// The events of one upload, from its first on; it ends after its last one.
    public func events(
        ofUpload id: String, after: String? = nil, types: [EventName]? = nil
    ) -> EventStream {
        EventStream(
            lull: self, segments: ["v1", "uploads", id, "events"], types: types, session: nil,
            after: after)
    }
}
