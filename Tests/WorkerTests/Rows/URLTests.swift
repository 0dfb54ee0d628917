// A source that moved: the bytes wait for a URL that leads to it again.
import Base
import Downloads
import Store
import Support
import Testing
import Trees

@testable import Worker

@Suite struct URLTests {
    private static let bytes = content(9000)
    private static let dated = [
        "Last-Modified: Wed, 01 Oct 2025 00:00:00 GMT", "Date: Thu, 02 Oct 2025 00:00:00 GMT",
    ]

    /// The first answer breaks off; then the URL is refused with any of these statuses.
    private func refused(
        _ replica: Replica, _ origin: OriginServer, _ path: String
    ) async throws -> Identifier {
        let id = try await replica.submit(origin.url(path))
        let record = try await replica.reached(.attentionRequired, id)
        #expect(record.download.bytesReceived == 4000)
        return id
    }

    private func with(
        etag: String?, status: Int = 403,
        _ test: @escaping (Replica, OriginServer, OriginServer) async throws -> Void
    ) async throws {
        let answer: @Sendable (OriginRequest) -> [OriginStep] = { request in
            request.rangeStart.map {
                Answer.part(Self.bytes, from: $0, etag: etag, Self.dated)
            } ?? Answer.whole(Self.bytes, etag: etag, Self.dated)
        }
        let second = try OriginServer(answer)
        defer { second.close() }
        try await Replica.with({ request in
            guard !request.target.hasPrefix("/fresh"), request.target != "/old?sig=2" else {
                return answer(request)
            }
            return request.rangeStart == nil
                ? Answer.whole(Self.bytes, etag: etag, cutAfter: 4000, Self.dated)
                : Answer.status("\(status) X")
        }) { replica, origin in try await test(replica, origin, second) }
    }

    private func expectWhole(
        _ replica: Replica, _ id: Identifier, from: Int64?
    ) async throws {
        _ = try await replica.perform(.resume, id)
        let record = try await replica.reached(.succeeded, id)
        #expect(try replica.file(record) == Self.bytes)
        #expect(record.download.attempt == 3)
        let last = try #require(try await replica.attempts(id).last).detail
        #expect(last["resumed_from"] == .integer(from ?? 0))
        #expect(last["bytes_discarded"] == .integer(from == nil ? 4000 : 0))
        let outcome = record.download.result["resume"]?["outcome"]?.stringValue
        #expect(outcome == (from == nil ? "restarted" : "continued"))
        #expect(try replica.lab.files().count == 1, "no part is left")
    }

    @Test(arguments: [401, 403, 404, 410])
    func newURLAtTheSameOriginContinues(status: Int) async throws {
        try await with(etag: "\"v1\"", status: status) { replica, origin, _ in
            let id = try await refused(replica, origin, "/old")
            try await replica.patch(id, ["url": .string(origin.url("/fresh"))])
            try await expectWhole(replica, id, from: 4000)
        }
    }

    @Test func eTagContinuesAtAnotherOrigin() async throws {
        try await with(etag: "\"v1\"") { replica, origin, second in
            let id = try await refused(replica, origin, "/old")
            try await replica.patch(id, ["url": .string(second.url("/x"))])
            #expect(try await replica.find(id).download.bytesReceived == 4000)
            try await expectWhole(replica, id, from: 4000)
            #expect(second.requests.map { $0["if-range"] } == ["\"v1\""])
        }
    }

    @Test func lastModifiedContinuesWithANewSignature() async throws {
        try await with(etag: nil) { replica, origin, _ in
            let id = try await refused(replica, origin, "/old?sig=1")
            try await replica.patch(id, ["url": .string(origin.url("/old?sig=2"))])
            try await expectWhole(replica, id, from: 4000)
        }
    }

    /// Another path, or another origin: two files may have one date.
    @Test(arguments: [true, false])
    func lastModifiedProvesNothingAtAnotherOrigin(isOtherOrigin: Bool) async throws {
        try await with(etag: nil) { replica, origin, second in
            let id = try await refused(replica, origin, "/old")
            let url = isOtherOrigin ? second.url("/old") : origin.url("/fresh")
            try await replica.patch(id, ["url": .string(url)])
            #expect(try await replica.find(id).download.bytesReceived == 0)
            #expect(try replica.lab.files().count == 1, "the file waits for its attempt")
            // The URL is set back before any attempt ran: the bytes fit as before.
            try await replica.patch(id, ["url": .string(origin.url("/old"))])
            #expect(try await replica.find(id).download.bytesReceived == 0)
            try await replica.patch(id, ["url": .string(url)])
            try await expectWhole(replica, id, from: nil)
        }
    }

    @Test func expiredSignatureNeedsAttention() async throws {
        try await Replica.with({ _ in Answer.status("403 X") }) { replica, origin in
            for (query, code) in [
                ("X-Amz-Date=20200101T000000Z&X-Amz-Expires=60&X-Amz-Signature=x", "url_expired"),
                ("X-Amz-Date=29990101T000000Z&X-Amz-Expires=60", "user_authentication_required"),
            ] {
                let id = try await replica.submit(origin.url("/f?" + query))
                let record = try await replica.reached(.attentionRequired, id)
                #expect(record.download.result["error"]?["code"]?.stringValue == code)
                #expect(record.download.result["error"]?["class"] == "attention")
            }
        }
    }

    /// If neither status nor parameters tell it, the text of the error does.
    @Test(arguments: [
        ("400 X", "<Code>ExpiredToken</Code>", "url_expired"),
        ("403 X", "<Message>Request has expired</Message>", "url_expired"),
        (
            "403 X", "AuthenticationFailed: Signature not valid in the specified time frame",
            "url_expired"
        ),
        ("400 X", "<Code>InvalidArgument</Code>", "http_status"),
        ("403 X", "<Code>AccessDenied</Code>", "user_authentication_required"),
    ])
    func anErrorThatSpeaksOfExpiryIsToldFromARefusal(
        _ status: String, _ text: String, _ code: String
    ) async throws {
        try await Replica.with({ _ in OriginStep.answer(status, body: text) }) { replica, origin in
            let id = try await replica.submit(origin.url("/f"))
            let isOver = code != "http_status"
            let record = try await replica.reached(isOver ? .attentionRequired : .failed, id)
            #expect(record.download.result["error"]?["code"]?.stringValue == code)
        }
    }
}
