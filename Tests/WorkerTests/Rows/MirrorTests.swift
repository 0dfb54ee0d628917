// Several addresses of one file: which one is asked, with which fields, and the result.
import Base
import Downloads
import Postgres
import Store
import Support
import Synchronization
import Testing
import Trees

@testable import Worker

@Suite struct MirrorTests {
    private static let bytes = content(9000)
    private static let lie = content(9000, seed: 7)

    /// The answer of an honest mirror.
    private static func honest(
        _ request: OriginRequest, etag: String? = nil
    ) -> [OriginStep] {
        request.rangeStart.map { Answer.part(bytes, from: $0, etag: etag) }
            ?? Answer.whole(bytes, etag: etag)
    }

    /// Two origins; the scripts are told how many requests came before.
    private func with(
        _ first: @escaping @Sendable (OriginRequest, Int) -> [OriginStep],
        _ second: @escaping @Sendable (OriginRequest, Int) -> [OriginStep] = { request, _ in
            honest(request)
        },
        _ test: @escaping (Replica, OriginServer, OriginServer) async throws -> Void
    ) async throws {
        let asked = Mutex((0, 0))
        let other = try OriginServer { request in
            second(
                request,
                asked.withLock { count in
                    defer { count.1 += 1 }
                    return count.1
                })
        }
        defer { other.close() }
        try await Replica.with({ request in
            first(
                request,
                asked.withLock { count in
                    defer { count.0 += 1 }
                    return count.0
                })
        }) { replica, origin in
            try await test(replica, origin, other)
            #expect(try await replica.number("SELECT sum(running) FROM gates") == 0)
        }
    }

    private func submit(
        _ replica: Replica, _ url: String, _ urls: [String], _ more: JSONObject = JSONObject()
    ) async throws -> Identifier {
        var members: JSONObject = [
            "urls": .array(urls.map { .string($0) }),
            "expected_digest": .string("sha256:" + sha256(Self.bytes)),
        ]
        for (name, value) in more.members { members[name] = value }
        return try await replica.submit(url, members)
    }

    /// Waits for the whole file, and returns the addresses that its attempts asked.
    private func whole(_ replica: Replica, _ id: Identifier) async throws -> [String] {
        let record = try await replica.reached(.succeeded, id)
        guard record.download.state == .succeeded else { return [] }
        #expect(try replica.file(record) == Self.bytes)
        #expect(record.download.result["error"] == nil)
        #expect(try replica.lab.files().count == 1, "no part is left")
        let asked = try await replica.attempts(id).compactMap { $0.detail["url"]?.stringValue }
        #expect(record.download.attempt == asked.count)
        #expect(record.download.address == asked.last)
        return asked
    }

    @Test(arguments: [
        (404, "resource_unavailable"), (403, "user_authentication_required"), (500, "http_status"),
        (416, "http_status"),
    ])
    func refusedMirrorIsFollowedByTheNext(status: Int, code: String) async throws {
        try await with({ _, _ in Answer.status("\(status) X") }) { replica, origin, second in
            let id = try await submit(replica, origin.url("/a"), [second.url("/b")])
            #expect(try await whole(replica, id) == [origin.url("/a"), second.url("/b")])
            #expect(origin.requests.count == 1)
            let switches = replica.worker.tally.switchesByCode
            #expect(switches.map(\.code) == [code] && switches.map(\.count) == [1])
            let first = try #require(try await replica.attempts(id).first)
            #expect(first.detail["error"]?["code"]?.stringValue == code)
        }
    }

    @Test func cutBodyContinuesAtTheNextMirror() async throws {
        try await with(
            { _, _ in Answer.whole(Self.bytes, etag: "\"a\"", cutAfter: 4000) },
            { request, _ in Self.honest(request, etag: "\"b\"") }
        ) { replica, origin, second in
            let id = try await submit(replica, origin.url("/a"), [second.url("/b")])
            #expect(try await whole(replica, id).count == 2)
            #expect(origin.requests.count == 1)
            #expect(second.requests.map(\.rangeStart) == [4000])
            #expect(second.requests[0]["if-range"] == nil, "the validator is another mirror's")
            let last = try #require(try await replica.attempts(id).last).detail
            #expect(last["resumed_from"] == 4000 && last["bytes_discarded"] == 0)
        }
    }

    /// A sign-in page and a stub end an attempt at their mirror; another one has the file.
    @Test(
        arguments: [
            (["accept_content_types": ["application/*"]], "content_type_not_accepted"),
            (["min_bytes": 9000], "content_too_short"),
        ] as [(JSONObject, String)])
    func demandsAreJudgedAtEachMirror(_ members: JSONObject, _ code: String) async throws {
        try await with({ _, _ in
            Answer.whole(Array("<html>".utf8), ["Content-Type: text/html"])
        }) { replica, origin, second in
            let id = try await submit(replica, origin.url("/a"), [second.url("/b")], members)
            #expect(try await whole(replica, id) == [origin.url("/a"), second.url("/b")])
            #expect(replica.worker.tally.switchesByCode.map(\.code) == [code])
            let first = try #require(try await replica.attempts(id).first)
            #expect(first.detail["excerpt"]?["text"] == "<html>")
        }
    }

    @Test func eachMirrorGetsItsOwnValidator() async throws {
        try await with(
            { request, number in
                number == 0
                    ? Answer.whole(Self.bytes, etag: "\"a\"", cutAfter: 4000)
                    : Self.honest(request, etag: "\"a\"")
            },
            { request, _ in
                Answer.part(
                    Self.bytes, from: request.rangeStart ?? 0, etag: "\"b\"", cutAfter: 1000)
            }
        ) { replica, origin, second in
            let id = try await submit(replica, origin.url("/a"), [second.url("/b")])
            #expect(try await whole(replica, id).count == 3)
            #expect(origin.requests.map(\.rangeStart) == [nil, 5000])
            #expect(origin.requests[1]["if-range"] == "\"a\"")
            #expect(second.requests.map(\.rangeStart) == [4000])
        }
    }

    @Test func mirrorWithAFalseDigestIsExcluded() async throws {
        try await with({ _, _ in Answer.whole(Self.lie) }) { replica, origin, second in
            let id = try await submit(replica, origin.url("/a"), [second.url("/b")])
            #expect(try await whole(replica, id).count == 2)
            #expect(second.requests.map(\.rangeStart) == [nil])
        }
    }

    /// The first mirror brings half and the second lies: then the second is asked alone, then the
    /// first.
    @Test func digestMismatchAcrossMirrorsFetchesFromOne() async throws {
        try await with(
            { _, number in
                number == 0
                    ? Answer.whole(Self.bytes, etag: "\"a\"", cutAfter: 4000)
                    : Answer.whole(Self.bytes, etag: "\"a\"")
            },
            { request, _ in
                request.rangeStart.map { Answer.part(Self.lie, from: $0) }
                    ?? Answer.whole(Self.lie)
            }
        ) { replica, origin, second in
            let id = try await submit(replica, origin.url("/a"), [second.url("/b")])
            let (one, two) = (origin.url("/a"), second.url("/b"))
            #expect(try await whole(replica, id) == [one, two, two, one])
            #expect(second.requests.map(\.rangeStart) == [4000, nil])
            #expect(origin.requests.map(\.rangeStart) == [nil, nil])
        }
    }

    @Test func digestMismatchAtAllMirrorsFails() async throws {
        try await with({ _, _ in Answer.whole(Self.lie) }, { _, _ in Answer.whole(Self.lie) }) {
            replica, origin, second in
            let id = try await submit(replica, origin.url("/a"), [second.url("/b")])
            let record = try await replica.reached(.failed, id)
            let error = try #require(record.download.result["error"])
            #expect(error["code"] == "digest_mismatch" && error["class"] == "permanent")
            #expect(error["retryable"] == false && record.download.attempt == 2)
            #expect(record.download.address == second.url("/b"))
            #expect(try replica.lab.files().isEmpty)
        }
    }

    @Test func unreachableMirrorIsSkipped() async throws {
        let closed = try OriginServer { _ in [] }
        closed.close()
        try await with({ request, _ in Self.honest(request) }) { replica, origin, _ in
            let urls = [closed.url("/b"), "http://10.1.2.3/c", origin.url("/d")]
            let id = try await submit(replica, closed.url("/a"), urls)
            #expect(try await whole(replica, id) == [closed.url("/a")] + urls)
            let codes = try await replica.attempts(id)
                .map { $0.detail["error"]?["code"]?.stringValue }
            #expect(
                codes == [
                    "cannot_connect_to_host", "cannot_connect_to_host", "destination_not_allowed",
                    nil,
                ])
        }
    }

    @Test func credentialsAreNotSentToOtherOrigins() async throws {
        try await with(
            { request, number in number == 0 ? Answer.status("500 X") : Self.honest(request) },
            { _, _ in Answer.status("500 X") }
        ) { replica, origin, second in
            let id = try await submit(
                replica, origin.url("/a"), [second.url("/b"), origin.url("/c")],
                [
                    "headers": ["X-Api-Key": "k"],
                    "authorization": ["type": "bearer", "token": "t"],
                ])
            #expect(try await whole(replica, id).count == 3)
            #expect(origin.requests.map { $0["authorization"] } == ["Bearer t", "Bearer t"])
            #expect(origin.requests.map { $0["x-api-key"] } == ["k", "k"])
            #expect(second.requests.map { $0["authorization"] } == [nil])
            #expect(second.requests.map { $0["x-api-key"] } == [nil])
        }
    }

    @Test func retryAfterOfOneMirrorDoesNotDelayAnother() async throws {
        try await with(
            { _, _ in Answer.status("429 X", ["Retry-After: 3600"]) },
            { request, number in
                number < 2 ? Answer.status("500 X") : Self.honest(request)
            }
        ) { replica, origin, second in
            let id = try await submit(replica, origin.url("/a"), [second.url("/b")])
            #expect(try await whole(replica, id).count == 4)
            #expect(origin.requests.count == 1 && second.requests.count == 3)
            #expect(
                try await replica.number(
                    """
                    SELECT count(*) FROM pushbacks
                    WHERE until > clock_timestamp() + interval '50 min'
                    """) == 1)
        }
    }

    @Test func mirrorUnderRetryAfterIsSkipped() async throws {
        try await with(
            { _, _ in Answer.status("404 X") },
            { _, _ in
                Answer.status("429 X", ["Retry-After: 3600"])
            }
        ) { replica, origin, second in
            let third = try OriginServer { request in Self.honest(request) }
            defer { third.close() }
            let one = try await submit(replica, second.url("/a"), [third.url("/b")])
            #expect(try await whole(replica, one).count == 2)
            let two = try await submit(
                replica, origin.url("/a"), [second.url("/b"), third.url("/c")])
            let record = try await replica.reached(.succeeded, two)
            #expect(record.download.address == third.url("/c"))
            #expect(second.requests.count == 1)
        }
    }

    /// Another length at another mirror is no change of the source: no client is asked about it.
    @Test func otherRepresentationAtAMirrorRestarts() async throws {
        try await with({ _, _ in
            Answer.whole(Self.lie + [1], etag: "\"a\"", cutAfter: 4000)
        }) { replica, origin, second in
            let id = try await submit(
                replica, origin.url("/a"), [second.url("/b")], ["on_source_change": "ask"])
            #expect(try await whole(replica, id).count == 2)
            #expect(second.requests.map(\.rangeStart) == [4000, nil])
        }
    }

    /// An error page with status 200 does not discard the bytes that are here.
    @Test func largePartSurvivesAnErrorPageWith200() async throws {
        let bytes = [UInt8](repeating: 7, count: 9 << 20)
        let digest: JSONObject = ["expected_digest": .string("sha256:" + sha256(bytes))]
        try await with(
            { request, _ in
                request.rangeStart.map { Answer.part(bytes, from: $0) }
                    ?? Answer.whole(bytes, cutAfter: bytes.count - 1000)
            }, { _, _ in OriginStep.answer(body: "come again") }
        ) { replica, origin, second in
            let id = try await submit(replica, origin.url("/a"), [second.url("/b")], digest)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == bytes)
            #expect(origin.requests.map(\.rangeStart) == [nil, bytes.count - 1000])
            let attempts = try await replica.attempts(id).map(\.detail)
            #expect(attempts[1]["error"]?["code"] == "size_mismatch")
            #expect(attempts.allSatisfy { $0["bytes_discarded"] == 0 })
        }
    }

    @Test func changedSourceIsFollowedByTheNextMirror() async throws {
        try await with(
            { _, number in
                number == 0
                    ? Answer.whole(Self.bytes, etag: "\"a\"", cutAfter: 4000)
                    : Answer.whole(Self.lie, etag: "\"z\"")
            },
            { request, number in
                number == 0 ? Answer.status("500 X") : Self.honest(request)
            }
        ) { replica, origin, second in
            let id = try await submit(
                replica, origin.url("/a"), [second.url("/b")], ["on_source_change": "ask"])
            #expect(try await whole(replica, id).count == 4)
            #expect(second.requests.map(\.rangeStart) == [4000, 4000])
            let third = try await replica.attempts(id)[2]
            #expect(third.detail["error"]?["code"] == "source_changed")
        }
    }

    /// The round waits for the client; a mirror that the client changes is asked first.
    @Test func attentionComesAfterTheLastMirror() async throws {
        try await with(
            { request, number in
                number == 0
                    ? Answer.whole(Self.bytes, cutAfter: 4000)
                    : request.target == "/fresh" ? Self.honest(request) : Answer.status("404 X")
            },
            { _, _ in Answer.status("403 X") }
        ) { replica, origin, second in
            let id = try await submit(replica, origin.url("/a"), [second.url("/b")])
            let record = try await replica.reached(.attentionRequired, id)
            #expect(record.download.bytesReceived == 4000)
            let attempts = record.download.attempt
            try await replica.patch(id, ["urls": [.string(origin.url("/fresh"))]])
            #expect(try await replica.find(id).download.address == origin.url("/a"))
            _ = try await replica.perform(.resume, id)
            let asked = try await whole(replica, id)
            #expect(asked.dropFirst(attempts) == [origin.url("/a"), origin.url("/fresh")])
            let ranges = origin.requests.map(\.rangeStart)
            #expect(ranges.last == 4000, "the bytes were good all the time")
        }
    }

    @Test func ordersConsumeNoMirrorTurn() async throws {
        let gate = OriginGate()
        try await with(
            { _, _ in Answer.status("404 X") },
            { request, number in
                number > 0
                    ? Self.honest(request, etag: "\"b\"")
                    : Answer.whole(Self.bytes, etag: "\"b\"", cutAfter: 4000).dropLast()
                        + [.wait(gate), .close]
            }
        ) { replica, origin, second in
            defer { gate.open() }
            let id = try await submit(replica, origin.url("/a"), [second.url("/b")])
            #expect(
                try await eventually {
                    try await replica.find(id).download.bytesReceived == 4000
                })
            let running = try #require(try await replica.attempts(id).last)
            #expect(
                running.outcome == nil && running.detail["url"]?.stringValue == second.url("/b"))
            _ = try await replica.perform(.suspend, id)
            let suspended = try await replica.reached(.suspended, id)
            #expect(suspended.download.address == second.url("/b"))
            _ = try await replica.perform(.resume, id)
            #expect(try await whole(replica, id).count == 3)
            #expect(second.requests.map { $0["if-range"] } == [nil, "\"b\""])
            #expect(origin.requests.count == 1)
        }
    }
}
