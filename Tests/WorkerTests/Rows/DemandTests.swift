// A client's demands on the content, and how a download continues once the client has acted.
import Base
import Downloads
import Store
import Support
import Synchronization
import Testing
import Trees

@testable import Worker

@Suite struct DemandTests {
    private static let bytes = content(9000)
    private static let other = content(9000, seed: 5)

    private static func changed(_ rule: String) -> Row {
        Row(rule, ranges: [nil, 4000]) { request, _ in
            request.rangeStart == nil
                ? Answer.whole(bytes, cutAfter: 4000) : Answer.whole(other, etag: "\"v2\"")
        }.with {
            $0.members = ["on_source_change": .string(rule)]
            $0.ifRange = "\"v1\""
            $0.code = "source_changed"
            $0.outcome = "continued"
            $0.resumedFrom = 4000
        }
    }

    @Test func changedSourceFailsWhenDemanded() async throws {
        try await Self.changed("fail").with {
            $0.state = .failed
            $0.outcome = nil
        }.run()
    }

    @Test func changedSourceNeedsAttentionWhenDemanded() async throws {
        try await Self.changed("ask").with {
            $0.state = .attentionRequired
            $0.kept = 4000
        }.run()
    }

    /// The change shows in another way: a part that cannot be used, then the other version.
    @Test func secondRequestRevealsTheChange() async throws {
        try await Row("ask", ranges: [nil, 4000, nil]) { request, number in
            switch number {
            case 0: Answer.whole(Self.bytes, cutAfter: 4000)
            case 1: Answer.part(Self.bytes, from: 4001)
            default: Answer.whole(Self.other, etag: "\"v2\"")
            }
        }.with {
            $0.members = ["on_source_change": "ask"]
            $0.state = .attentionRequired
            $0.code = "source_changed"
            $0.outcome = "continued"
            $0.resumedFrom = 4000
            $0.kept = 4000
        }.run()
    }

    @Test func resumeAfterAttentionRestarts() async throws {
        let count = Mutex(0)
        try await Replica.with({ _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1
                ? Answer.whole(Self.bytes, cutAfter: 4000)
                : Answer.whole(Self.other, etag: "\"v2\"")
        }) { replica, origin in
            let id = try await replica.submit(origin.url(), ["on_source_change": "ask"])
            let asked = try await replica.reached(.attentionRequired, id)
            #expect(asked.download.bytesReceived == 4000)
            #expect(try await replica.perform(.resume, id) == .waiting)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == Self.other)
            #expect(origin.requests.map(\.rangeStart) == [nil, 4000, nil])
            #expect(record.download.result["resume"]?["outcome"] == "restarted")
            #expect(record.download.result["resume"]?["bytes_discarded"] == 4000)
            #expect(try replica.lab.files().count == 1, "the old part is gone")
        }
    }

    /// The bytes wait; a URL that still has the old version continues them.
    @Test func newURLAfterAttentionContinues() async throws {
        try await Replica.with({ request in
            switch (request.target, request.rangeStart) {
            case ("/a", nil): Answer.whole(Self.bytes, cutAfter: 4000)
            case ("/a", _): Answer.whole(Self.other, etag: "\"v2\"")
            default: Answer.part(Self.bytes, from: request.rangeStart ?? 0)
            }
        }) { replica, origin in
            let id = try await replica.submit(origin.url("/a"), ["on_source_change": "ask"])
            _ = try await replica.reached(.attentionRequired, id)
            try await replica.patch(id, ["url": .string(origin.url("/old"))])
            #expect(try await replica.find(id).download.bytesReceived == 4000)
            _ = try await replica.perform(.resume, id)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == Self.bytes)
            #expect(origin.requests.map(\.rangeStart) == [nil, 4000, 4000])
            #expect(record.download.result["resume"]?["outcome"] == "continued")
        }
    }

    private static func tooLong(_ name: String, _ answer: [OriginStep]) -> Row {
        Row(name, ranges: [nil]) { _, _ in answer }.with {
            $0.members = ["max_bytes": 5000]
            $0.state = .attentionRequired
            $0.code = "data_length_exceeds_maximum"
            $0.attempts = 1
        }
    }

    private static let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\n"
    private static let chunks: [OriginStep] =
        [.send(head + "Transfer-Encoding: chunked\r\n\r\n")]
        + stride(from: 0, to: 9000, by: 1000).flatMap { start -> [OriginStep] in
            [.send("3e8\r\n"), .sendBytes(Array(bytes[start..<start + 1000])), .send("\r\n")]
        } + [.send("0\r\n\r\n")]

    @Test(arguments: [
        tooLong("announced", Answer.whole(bytes)).with { $0.kept = 0 },
        tooLong("not announced", [.send(head + "\r\n"), .sendBytes(bytes), .close]),
        tooLong("chunked", chunks),
    ])
    func aBodyHasABound(_ row: Row) async throws {
        guard row.kept == nil else { return try await row.run() }
        // libcurl decides how many bytes it hands over at once: whole pieces are kept, up to the
        // bound.
        try await Replica.with({ request in row.answer(request, 0) }) { replica, origin in
            let id = try await replica.submit(origin.url(), row.members)
            let record = try await replica.reached(.attentionRequired, id)
            #expect(record.download.bytesReceived <= 5000)
            #expect(record.download.result["error"]?["code"]?.stringValue == row.code)
        }
    }

    @Test func exactMaximumIsAllowed() async throws {
        for answer in [Answer.whole(Self.bytes), Self.chunks] {
            try await Row("exact", ranges: [nil]) { _, _ in answer }.with {
                $0.members = ["max_bytes": 9000]
                $0.bytes = Self.bytes
                $0.attempts = 1
            }.run()
        }
    }

    @Test func higherMaximumContinuesWithTheBytes() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        let start: [OriginStep] = [
            .send(Self.head + "\r\n"), .sendBytes(Array(Self.bytes[..<4000])), .wait(gate),
            .sendBytes(Array(Self.bytes[4000...])), .close,
        ]
        try await Replica.with({ request in
            request.rangeStart.map { Answer.part(Self.bytes, from: $0) } ?? start
        }) { replica, origin in
            let id = try await replica.submit(origin.url(), ["max_bytes": 5000])
            let isHalf = try await eventually {
                try await replica.find(id).download.bytesReceived == 4000
            }
            #expect(isHalf)
            gate.open()
            #expect(
                try await replica.reached(.attentionRequired, id).download.bytesReceived == 4000)
            // The bound is still too low: the origin's total is known from the range.
            _ = try await replica.perform(.resume, id)
            let again = try await replica.reached(.attentionRequired, id, attempt: 2)
            #expect(again.download.bytesReceived == 4000)
            try await replica.patch(id, ["max_bytes": 9000])
            _ = try await replica.perform(.resume, id)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == Self.bytes)
            #expect(origin.requests.map(\.rangeStart) == [nil, 4000, 4000])
        }
    }

    /// A page in place of a file is recognised by its type, or by its length, announced or counted.
    @Test func unwantedContentIsFinalAndItsBeginningIsShown() async throws {
        let page = "<html>Sign in</html>"
        let chunked = "14\r\n\(page)\r\n0\r\n\r\n"
        let answers = [
            ("/type", ["Content-Length: 20", "Content-Type: text/html"], page),
            ("/none", ["Content-Length: 20"], page), ("/counted", [], page),
            ("/chunked", ["Transfer-Encoding: chunked"], chunked),
        ]
        try await Replica.with({ request in
            let (_, lines, body) = answers.first { $0.0 == request.target } ?? ("", [], "")
            let head = (["HTTP/1.1 200 OK"] + lines).joined(separator: "\r\n")
            return [.send(head + "\r\n\r\n" + body), .close]
        }) { replica, origin in
            for (path, lines, _) in answers {
                let isNamed = lines.count == 2
                let rules: [(JSONObject, String?)] = [
                    (["min_bytes": 21], "content_too_short"), (["min_bytes": 20], nil),
                    (
                        ["accept_content_types": ["application/x-iso9660-image"]],
                        "content_type_not_accepted"
                    ),
                    (
                        ["accept_content_types": ["application/octet-stream", "video/*"]],
                        isNamed ? "content_type_not_accepted" : nil
                    ),
                    (["accept_content_types": ["text/*", "application/*"]], nil),
                ]
                for (members, code) in rules {
                    let id = try await replica.submit(origin.url(path), members)
                    let record = try await replica.reached(code == nil ? .succeeded : .failed, id)
                    let error = record.download.result["error"]
                    #expect(error?["code"]?.stringValue == code, "\(path) \(members)")
                    let tried = try await replica.attempts(id)
                    let excerpt = tried.last?.detail["excerpt"]?["text"]?.stringValue
                    #expect(excerpt == (code == nil ? nil : page), "\(path) \(members)")
                    #expect(tried.count == 1)
                    if code != nil { #expect(error?["retryable"] == false) }
                }
            }
        }
    }

    /// A page that is longer than its shown beginning is read up to the shown length.
    @Test func unwantedContentIsReadInPart() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        try await Replica.with({ _ in
            [
                .send(
                    Self.head + "Content-Length: 900000000\r\nContent-Type: text/html\r\n\r\n"),
                .fill(0x61, count: 100_000), .wait(gate), .close,
            ]
        }) { replica, origin in
            let id = try await replica.submit(
                origin.url(), ["accept_content_types": ["video/*"]])
            let record = try await replica.reached(.failed, id)
            #expect(record.download.result["error"]?["code"] == "content_type_not_accepted")
            let excerpt = try #require(try await replica.attempts(id).last).detail["excerpt"]
            #expect(excerpt?["is_cut"] == true)
            #expect(!gate.wasOpened)
        }
    }

    @Test func unprovenLengthIsRefusedWhenDemanded() async throws {
        try await Row("required", ranges: [nil]) { _, _ in
            [.send(Self.head + "\r\n"), .sendBytes(Self.bytes), .close]
        }.with {
            $0.members = ["require_verified_length": true]
            $0.state = .failed
            $0.code = "length_unverified"
            $0.attempts = 1
        }.run()
    }

    @Test func expectedDigestReplacesAProvenLength() async throws {
        try await Row("digest", ranges: [nil]) { _, _ in
            [.send(Self.head + "\r\n"), .sendBytes(Self.bytes), .close]
        }.with {
            $0.members = [
                "require_verified_length": true,
                "expected_digest": .string("sha256:" + sha256(Self.bytes)),
            ]
            $0.attempts = 1
            $0.bytes = Self.bytes
        }.run()
    }

    private static func expects(_ count: Int64, isRequired: Bool = true) -> JSONObject {
        [
            "count_of_bytes_client_expects_to_receive": .integer(count),
            "require_expected_length": .bool(isRequired),
        ]
    }

    /// A length other than the demanded one fails, whether announced, counted at the end, or
    /// exceeded.
    @Test func lengthOtherThanDemandedFails() async throws {
        let answers: [(String, [OriginStep])] = [
            ("announced", Answer.whole(Self.bytes)), ("chunked", Self.chunks),
            (
                "ended by the close",
                [.send(Self.head + "\r\n"), .sendBytes(Self.bytes), .close]
            ),
        ]
        let rows = answers.flatMap { name, answer in
            ([8999, 9001, 0, 9000] as [Int64]).map { count -> Row in
                let row = Row("\(name), \(count)", ranges: [nil]) { _, _ in answer }.with {
                    $0.members = Self.expects(count)
                    $0.attempts = 1
                    $0.bytes = Self.bytes
                    $0.isVerified = name != "ended by the close"
                }
                guard count != 9000 else { return row }
                return row.with {
                    $0.state = .failed
                    $0.code = "expected_length_mismatch"
                    $0.failureClass = .server
                }
            }
        }
        try await Row.run(rows)
    }

    @Test(arguments: [(nil, nil), (9000, true), (8999, false)] as [(Int64?, Bool?)])
    func theExpectedLengthIsAHint(_ count: Int64?, _ isMatched: Bool?) async throws {
        try await Replica.with({ _ in Answer.whole(Self.bytes) }) { replica, origin in
            let id = try await replica.submit(
                origin.url(), count.map { Self.expects($0, isRequired: false) } ?? JSONObject())
            let record = try await replica.reached(.succeeded, id)
            let content = try #require(record.download.result.content)
            #expect(content.isExpectedLength == isMatched)
        }
    }

    @Test func absurdLengthExceedsTheLimitAtOnce() async throws {
        try await Row.run(
            ["9007199254740993", "999999999999999999"].map { length in
                Row(length, ranges: [nil]) { _, _ in
                    [.send(Self.head + "Content-Length: \(length)\r\n\r\n"), .sendBytes([1, 2])]
                }.with {
                    $0.state = .failed
                    $0.attempts = 1
                    $0.code = "data_length_exceeds_maximum"
                    $0.failureClass = .permanent
                }
            })
    }
}
