// Streams of events, as a client reads them.
import Base
import Downloads
import HTTPWire
import Postgres
import Store
import Synchronization
import Testing

@testable import API

/// A client of a stream; it closes the stream once it has seen enough.
final class StreamReader: Sendable {
    private let text = Mutex("")

    var seen: String { text.withLock { $0 } }

    /// Reads a body until it ends or `enough` is true.
    func read(
        _ reply: Reply, until enough: @escaping @Sendable (String) -> Bool = { _ in false }
    ) async {
        guard case .stream(let body) = reply.response.body else { return }
        await body.produce(
            BodyWriter { bytes in
                self.text.withLock { text in
                    text += String(decoding: bytes, as: UTF8.self)
                    return !enough(text)
                }
            })
    }

    /// Waits until a text was seen; false after about 20 seconds.
    func sees(_ part: String) async -> Bool {
        for _ in 0..<2000 {
            if seen.contains(part) { return true }
            do { try await Task.sleep(for: .milliseconds(10)) } catch { return false }
        }
        return false
    }

    /// The blocks that are events: fields by name.
    var events: [[String: String]] { blocks.filter { $0["event"] != nil } }

    /// The last id that was sent.
    var lastID: String? { blocks.last { $0["id"] != nil }?["id"] }

    private var blocks: [[String: String]] {
        seen.components("\n\n").map { block in
            var fields: [String: String] = [:]
            for line in block.components("\n") {
                guard let colon = line.firstIndex(of: ":") else { continue }
                fields[String(line[..<colon])] = String(line[colon...].dropFirst(2))
            }
            return fields
        }
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [String] {
        split(separator: separator).map(String.init)
    }
}

@Suite struct EventStreamTests {
    private let accept = [("Accept", "text/event-stream")]

    private func id(_ reply: Reply) throws -> String {
        try #require(reply.json["id"]?.stringValue)
    }

    @Test func streamOfADownloadEndsAfterItsLastEvent() async throws {
        try await APIWorld.with { world in
            let id = try id(await world.create())
            let reply = await world.send("GET", "/v1/downloads/\(id)/events", headers: accept)
            #expect(reply.status == 200)
            #expect(reply["Content-Type"] == "text/event-stream")
            #expect(reply["Cache-Control"] == "no-store")
            #expect(reply["X-Accel-Buffering"] == "no")
            let reader = StreamReader()
            async let reading: Void = reader.read(reply)
            #expect(await reader.sees("download.created"))
            #expect(await world.send("POST", "/v1/downloads/\(id)/suspend").status == 200)
            #expect(await reader.sees("download.suspended"))
            #expect(await world.send("POST", "/v1/downloads/\(id)/cancel").status == 200)
            await reading
            #expect(reader.seen.hasPrefix("retry: 3000\n\n"))
            let names = reader.events.map { $0["event"] ?? "" }
            #expect(names == ["download.created", "download.suspended", "download.canceled"])
            let last = try #require(reader.lastID)
            let again = await world.send(
                "GET", "/v1/downloads/\(id)/events", headers: accept + [("Last-Event-ID", last)])
            #expect(again.status == 204)
        }
    }

    /// A live stream keeps its session from being woken only for the events that were written to
    /// it.
    @Test func whoReadsAStreamIsNotWoken() async throws {
        try await APIWorld.with { world in
            _ = await world.send(
                "PUT", "/v1/sessions/a",
                #"{"webhook_url":"https://hooks.example/","webhook_events":["session.wake"]}"#)
            let wakes = Wakes(pool: world.pool)
            func end() async throws {
                let made = await world.create(#""session":"a""#)
                _ = await world.send("POST", try #require(made["Location"]) + "/cancel")
                // The rows that a success leaves.
                _ = try await world.pool.query(
                    """
                    SELECT lull_note_sessions(ARRAY[session_no],
                        ARRAY[lull_session_news('completed')])
                    FROM sessions WHERE identifier = 'a'
                    """)
            }
            /// Looks each second until the event was read or announced; returns the number of
            /// wakes.
            func wakesSent() async throws -> Int {
                for _ in 0..<12_000 {
                    let sent = try await wakes.look(.standard).sent.count
                    let left = try await world.pool.query(
                        """
                        UPDATE session_wakes SET next_at = now() WHERE news <> 0
                        RETURNING session_no
                        """)
                    if sent > 0 || left.isEmpty { return sent }
                    try await Task.sleep(for: .milliseconds(10))
                }
                return -1
            }
            let reply = await world.send("GET", "/v1/events?session=a", headers: accept)
            let reader = StreamReader()
            async let reading: Void = reader.read(reply) { $0.contains("download.suspended") }
            let isListening = try await isEventually {
                try await !world.pool.query("SELECT 1 FROM session_listeners").isEmpty
            }
            #expect(isListening)
            try await end()
            #expect(await reader.sees("download.canceled"))
            #expect(try await wakesSent() == 0)
            // The client leaves; a later event is announced by a wake.
            let last = await world.create(#""session":"a""#)
            let path = try #require(last["Location"])
            _ = await world.send("POST", path + "/suspend")
            await reading
            _ = await world.send("POST", path + "/cancel")
            try await end()
            #expect(try await wakesSent() == 1)
        }
    }

    /// Repeats a question for two minutes at most.
    private func isEventually(_ question: () async throws -> Bool) async throws -> Bool {
        for _ in 0..<12_000 {
            if try await question() { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    @Test func streamResumesAtLastEventID() async throws {
        try await APIWorld.with { world in
            let path = "/v1/downloads/\(try id(await world.create()))"
            for action in ["suspend", "resume", "suspend", "resume", "cancel"] {
                #expect(await world.send("POST", "\(path)/\(action)").status == 200)
            }
            let whole = StreamReader()
            await whole.read(await world.send("GET", "\(path)/events", headers: accept))
            #expect(whole.events.count == 6)
            for cut in whole.events.indices.dropLast() {
                let place = try #require(whole.events[cut]["id"])
                let rest = StreamReader()
                await rest.read(
                    await world.send(
                        "GET", "\(path)/events", headers: accept + [("Last-Event-ID", place)]))
                #expect(rest.events == Array(whole.events[(cut + 1)...]))
            }
            let some = StreamReader()
            await some.read(
                await world.send(
                    "GET", "\(path)/events?types=download.suspended", headers: accept))
            #expect(some.events.count == 2)
        }
    }

    @Test func streamOfTheJournalSendsNewEvents() async throws {
        try await APIWorld.with { world in
            let first = StreamReader()
            let reply = await world.send("GET", "/v1/events", headers: accept)
            async let reading: Void = first.read(reply) { $0.contains("download.suspended") }
            #expect(await first.sees("id: "), "a place to go on from comes before any event")
            let id = try id(await world.create())
            #expect(await first.sees("download.created"))
            #expect(await world.send("POST", "/v1/downloads/\(id)/suspend").status == 200)
            await reading
            #expect(first.events.map { $0["event"] } == ["download.created", "download.suspended"])
            let place = try #require(first.lastID)
            for action in ["resume", "cancel"] {
                #expect(await world.send("POST", "/v1/downloads/\(id)/\(action)").status == 200)
            }
            let second = StreamReader()
            await second.read(
                await world.send(
                    "GET", "/v1/events?wait=30", headers: accept + [("Last-Event-ID", place)])
            ) { $0.contains("download.canceled") }
            #expect(second.events.map { $0["event"] } == ["download.resumed", "download.canceled"])
        }
    }

    @Test func eventDataEqualsTheWebhookBody() async throws {
        try await APIWorld.with { world in
            let id = try id(
                await world.create(
                    "\"webhook_url\":\"https://hook.example/a\","
                        + "\"webhook_events\":[\"download.*\"]"))
            #expect(await world.send("POST", "/v1/downloads/\(id)/suspend").status == 200)
            #expect(await world.send("POST", "/v1/downloads/\(id)/cancel").status == 200)
            let ledger = try await Ledger.register(
                pool: world.pool, instance: Identifier(high: 1, low: 2), node: "test",
                lease: .seconds(60), changes: ChangeHub()
            ).ledger
            let outbox = Outbox(
                pool: world.pool, registration: Registration(replica: ledger.replica))
            let due = try await outbox.due(full: [], limit: 10).list
            let grants = due.map { DeliveryPlaces.Grant(receiver: $0.number, count: 10) }
            let bodies = try await outbox.claim(grants).due.map {
                String(decoding: $0.message.body, as: UTF8.self)
            }
            let reader = StreamReader()
            await reader.read(
                await world.send("GET", "/v1/downloads/\(id)/events", headers: accept))
            #expect(bodies.count == 3)
            #expect(Set(reader.events.map { $0["data"] ?? "" }) == Set(bodies))
        }
    }

    @Test func sendsAKeepaliveComment() async throws {
        try await APIWorld.with { world in
            let journal = world.dependencies.store.downloads.journal
            let query = JournalQuery(scope: .app(1, session: nil))
            let stream = EventStream(
                journal: journal, query: query, shown: .all, end: nil, report: { _ in },
                silence: .milliseconds(50))
            let start = EventStream.Progress(
                place: try await journal.end(), mark: journal.mark,
                page: JournalPage(events: [], gap: nil))
            let words = Mutex("")
            await stream.run(
                start, opening: EventText.retry,
                to: BodyWriter { bytes in
                    words.withLock {
                        $0 += String(decoding: bytes, as: UTF8.self)
                        return !$0.hasSuffix(": keepalive\n\n: keepalive\n\n")
                    }
                })
            #expect(words.withLock { $0 }.hasSuffix(": keepalive\n\n: keepalive\n\n"))
        }
    }

    @Test func aStoppedStreamEndsWithAComment() async throws {
        try await APIWorld.with { world in
            let reader = StreamReader()
            let reply = await world.send("GET", "/v1/events", headers: accept)
            let reading = Task { await reader.read(reply) }
            #expect(await reader.sees("id: "))
            reading.cancel()
            await reading.value
            #expect(reader.seen.hasSuffix(": the service is stopping, connect again\n\n"))
            let short = StreamReader()
            await short.read(await world.send("GET", "/v1/events?wait=0", headers: accept))
            #expect(short.seen.hasSuffix(": the time of this stream is over\n\n"))
        }
    }

    @Test func sendsAGapForExpiredEvents() async throws {
        try await APIWorld.with { world in
            let path = "/v1/downloads/\(try id(await world.create()))"
            let whole = StreamReader()
            await whole.read(await world.send("GET", "\(path)/events", headers: accept)) {
                $0.contains("download.created")
            }
            let place = try #require(whole.lastID)
            for action in ["suspend", "resume", "cancel"] {
                #expect(await world.send("POST", "\(path)/\(action)").status == 200)
            }
            let journal = world.dependencies.store.downloads.journal
            // Once all events can be read, all are old enough.
            let all = JournalQuery(scope: .app(1, session: nil))
            for _ in 0..<2000 {
                if try await journal.read(all, after: nil, limit: 9).events.count == 4 { break }
                try await Task.sleep(for: .milliseconds(10))
            }
            let step = try await journal.forget(app: 1, olderThan: .zero, after: nil, limit: 2)
            #expect(step.removed == 2)
            let rest = StreamReader()
            await rest.read(
                await world.send(
                    "GET", "\(path)/events", headers: accept + [("Last-Event-ID", place)]))
            let names = rest.events.map { $0["event"] ?? "" }
            #expect(names == ["gap", "download.resumed", "download.canceled"])
            try #require(rest.events.count == 3)
            let gap = try JSON.parse(Array((rest.events[0]["data"] ?? "").utf8))
            #expect(gap["oldest_cursor"]?.stringValue == rest.events[1]["id"])
            let page = await world.send("GET", "/v1/events?after=\(place)")
            #expect(page.json["gap"] == true)
            #expect(await world.send("GET", "/v1/events").json["gap"] == false)
        }
    }
}
