// The failure that is shown, the time of the next attempt, and the downloads that have to wait.
import Base
import Downloads
import Postgres
import Store
import Support
import Synchronization
import Testing
import Trees

@testable import Worker

@Suite struct FailureTests {
    /// The body, its encoding, and the part that is kept of it.
    private static let bodies: [(String, [UInt8], String, String, Bool)] = [
        ("short", Array("no such key".utf8), "utf-8", "no such key", false),
        ("lines", Array("a\r\n\tb\n".utf8), "utf-8", "a\r\n\tb\n", false),
        (
            "long", [UInt8](repeating: 0x61, count: 5000), "utf-8",
            String(repeating: "a", count: 1024), true
        ),
        (
            "cut in a letter", Array(("a" + String(repeating: "é", count: 900)).utf8), "utf-8",
            "a" + String(repeating: "é", count: 511), true
        ),
        ("binary", [0, 1, 2, 255], "base64", "AAEC/w==", false),
        ("a zero in text", Array("a\u{0}b".utf8), "base64", "YQBi", false),
    ]

    @Test func firstKilobyteOfAnErrorBodyIsKept() async throws {
        try await Replica.with({ request in
            let place = Int(request.target.dropFirst()) ?? 0
            let body = Self.bodies[place].1
            return [
                .send("HTTP/1.1 404 N\r\nContent-Length: \(body.count)\r\n\r\n"), .sendBytes(body),
            ]
        }) { replica, origin in
            for (place, (name, _, encoding, text, isCut)) in Self.bodies.enumerated() {
                let id = try await replica.submit(origin.url("/\(place)"))
                let record = try await replica.reached(.failed, id)
                let excerpt = try #require(try await replica.attempts(id).last).detail["excerpt"]
                #expect(excerpt?["encoding"]?.stringValue == encoding, Comment(rawValue: name))
                #expect(excerpt?["text"]?.stringValue == text, Comment(rawValue: name))
                #expect(excerpt?["is_cut"] == .bool(isCut), Comment(rawValue: name))
                #expect(!record.download.eventData().contains("excerpt"))
                #expect(!record.download.eventData().contains("no such key"))
            }
        }
    }

    @Test func attemptsListPhaseAndBytes() async throws {
        try await Replica.with(
            change: { $0.retries.maximumAttempts = 1 },
            { request in
                request.target == "/cut"
                    ? Answer.whole(content(10), cutAfter: 5)
                    : request.target == "/reset" ? [.reset] : [.close]
            }
        ) { replica, origin in
            for (path, phase, words) in [
                ("/cut", "body", "curl: (18) "), ("/reset", "first_byte", "curl: (56) "),
                ("/x", "first_byte", "curl: (52) "),
            ] {
                let id = try await replica.submit(origin.url(path))
                _ = try await replica.reached(.failed, id)
                let detail = try #require(try await replica.attempts(id).last).detail
                #expect(detail["phase"]?.stringValue == phase)
                #expect(detail["error"]?["code"] == "network_connection_lost")
                #expect(detail["error"]?["class"] == "network")
                #expect(detail["transport_error"]?.stringValue?.hasPrefix(words) == true)
            }
        }
    }

    /// The attempt names the framing rule that its answer broke; an attempt that another rule ended
    /// names none.
    @Test func attemptsNameTheFramingRuleThatTheAnswerBroke() async throws {
        let replies = [
            "/chunk": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x4\r\nhell\r\n",
            "/status": "HTTP/1.1  200 OK\r\nContent-Length: 0\r\n\r\n",
            "/gone": "HTTP/1.1 410 G\r\nContent-Length: 0\r\n\r\n",
        ]
        try await Replica.with(
            change: { $0.retries.maximumAttempts = 1 },
            { request in [.send(replies[request.target] ?? ""), .close] }
        ) { replica, origin in
            for (path, words) in [
                ("/chunk", "odd_chunk_size"), ("/status", "malformed_status_line"), ("/gone", nil),
            ] {
                let id = try await replica.submit(origin.url(path))
                _ = try await replica.reached(.failed, id)
                let detail = try #require(try await replica.attempts(id).last).detail
                #expect(detail["transport_error"]?.stringValue == words)
            }
        }
    }

    /// Every second attempt brings a few bytes: eleven attempts, with two allowed without progress.
    @Test func progressResetsTheAttemptBudget() async throws {
        let bytes = content(6000)
        try await Row(
            "patience",
            ranges: [nil, 1000, 1000, 2000, 2000, 3000, 3000, 4000, 4000, 5000, 5000]
        ) { request, number in
            guard let start = request.rangeStart else {
                return Answer.whole(bytes, cutAfter: 1000)
            }
            if !number.isMultiple(of: 2) { return Answer.status("500 X") }
            return Answer.part(bytes, from: start, cutAfter: start == 5000 ? nil : 1000)
        }.with {
            $0.bytes = bytes
            $0.attempts = 11
            $0.ifRange = "\"v1\""
            $0.outcome = "continued"
            $0.resumedFrom = 5000
        }.run(maximumAttempts: 2)
    }

    /// Two replicas, one database: the origin's word to one of them holds for both.
    @Test func retryAfterHoldsForAllReplicas() async throws {
        let bytes = content(1000)
        let gate = OriginGate()
        let count = Mutex(0)
        try await Replica.with(
            change: { $0.slots = 1 },
            { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return number == 1
                    ? Answer.status("429 X", ["Retry-After: 1"])
                    : [.wait(gate)] + Answer.whole(bytes)
            }
        ) { replica, origin in
            defer { gate.open() }
            try await replica.besides(change: { $0.slots = 1 }) { other in
                let first = try await replica.submit(origin.url("/0"))
                let isCooled = try await eventually {
                    try await replica.number(
                        "SELECT count(*) FROM pushbacks WHERE until > now() - interval '1 hour'")
                        == 1
                }
                #expect(isCooled)
                var ids = [first]
                for number in 1...3 {
                    ids.append(try await replica.submit(origin.url("/\(number)")))
                }
                other.worker.hint()
                // Each replica has one slot and each answer waits: the second request comes from
                // the other replica.
                #expect(try await eventually { origin.requests.count == 3 })
                gate.open()
                for id in ids { _ = try await replica.reached(.succeeded, id) }
                let early = try await replica.number(
                    """
                    SELECT count(*) FROM events e, pushbacks p WHERE e.type = 3
                        AND e.at < p.until
                    """)
                #expect(early == 1, "only the first request came before the rest was asked for")
                let replicas = try await replica.number(
                    "SELECT count(DISTINCT replica_no) FROM attempts")
                #expect(replicas == 2)
            }
        }
    }
}
