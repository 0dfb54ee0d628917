// Files that are sent to their receivers by a whole replica, and what follows where they are not
// taken.
import Base
import Crypto
import Downloads
import Foundation
import Store
import Support
import Synchronization
import Testing
import Trees

@testable import Worker

@Suite struct RelayTests {
    private static let bytes = content(5000)

    private final class Counter: Sendable {
        private let value = Atomic<Int>(0)

        func next() -> Int { value.add(1, ordering: .relaxed).newValue }
    }

    /// Changes a byte of every file of the data directory.
    private static func damage(_ lab: WorkerLab) throws {
        for (away, home) in try lab.takeAway() {
            var bytes = try Data(contentsOf: URL(filePath: away))
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: URL(filePath: home))
            try FileManager.default.removeItem(atPath: away)
        }
    }

    /// The requests that brought a body to the receiver.
    private static func sent(_ origin: OriginServer) -> [OriginRequest] {
        origin.requests.filter { $0.method != "GET" }
    }

    /// A replica whose origin is the receiver as well: it answers the first sending by a script,
    /// and takes those after it.
    private static func with(
        _ first: @escaping @Sendable () -> [OriginStep],
        _ test: @escaping (Replica, OriginServer) async throws -> Void
    ) async throws {
        let sendings = Counter()
        try await Replica.with(
            { request in
                guard request.method != "GET" else { return Answer.whole(bytes) }
                return sendings.next() == 1
                    ? first() : OriginStep.answer("201 Created", headers: ["ETag: \"v\""])
            }, sendsFiles: true
        ) { replica, origin in
            try await test(replica, origin)
        }
    }

    private static func destination(
        _ origin: OriginServer, _ method: String, _ headers: JSONObject = JSONObject()
    ) -> JSONObject {
        var destination: JSONObject = [
            "url": .string(origin.url("/in?signature=hidden")), "method": .string(method),
        ]
        if !headers.isEmpty { destination["headers"] = .object(headers) }
        return ["destination": .object(destination)]
    }

    @Test(arguments: ["PUT", "POST"])
    func aFileArrivesWithItsFieldsAndIsKept(_ method: String) async throws {
        try await Self.with({ OriginStep.answer("200 OK", body: "taken") }) { replica, origin in
            let id = try await replica.submit(
                origin.url("/a.bin"), Self.destination(origin, method))
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == Self.bytes)
            let request = try #require(Self.sent(origin).first)
            #expect(request.method == method && request.body == Self.bytes)
            #expect(request["content-length"] == "5000" && request["expect"] == nil)
            #expect(request["content-disposition"] == "attachment; filename=\"a.bin\"")
            let digest = try #require(Hex.decode(sha256(Self.bytes)))
            #expect(request["repr-digest"] == "sha-256=:\(Base64.encode(digest)):")
            #expect(record.download.result.sent?.status == 200)
            #expect(record.download.result.sent?.body?.text == "taken")
            let attempts = try await replica.attempts(id)
            #expect(attempts.count == 2 && Self.sent(origin).count == 1)
        }
    }

    /// A status that says no leaves the bytes here; after a resume they are sent, not fetched.
    @Test(arguments: [301, 400, 403, 404, 409, 411, 413, 415, 422, 451])
    func aRefusedFileNeedsTheClient(_ status: Int) async throws {
        try await Self.with({ OriginStep.answer("\(status) No", body: "no room here") }) {
            replica, origin in
            let id = try await replica.submit(
                origin.url("/a.bin"), Self.destination(origin, "PUT"))
            let held = try await replica.reached(.attentionRequired, id)
            #expect(held.download.result.error?.code == .destinationRefused)
            #expect(held.download.isSending && held.download.bytesReceived == 5000)
            let attempts = try await replica.attempts(id)
            #expect(attempts.last?.detail.excerpt?.text == "no room here")
            #expect(attempts.last?.detail.url == origin.url("/in"))
            _ = try await replica.perform(.resume, id)
            _ = try await replica.reached(.succeeded, id)
            #expect(Self.sent(origin).count == 2)
            #expect(origin.requests.count { $0.method == "GET" } == 1)
        }
    }

    /// A POST that the receiver may have done is not sent again before the client says so.
    @Test(arguments: [false, true])
    func aLostAnswerToAPostIsUnknown(_ hasKey: Bool) async throws {
        try await Self.with({ [.close] }) { replica, origin in
            let headers: JSONObject = hasKey ? ["Idempotency-Key": "k"] : JSONObject()
            let id = try await replica.submit(
                origin.url("/a.bin"), Self.destination(origin, "POST", headers))
            if !hasKey {
                let held = try await replica.reached(.attentionRequired, id)
                #expect(held.download.result.error?.code == .destinationOutcomeUnknown)
                #expect(Self.sent(origin).count == 1)
                _ = try await replica.perform(.resume, id)
            }
            _ = try await replica.reached(.succeeded, id)
            #expect(Self.sent(origin).count == 2)
            #expect(Self.sent(origin).allSatisfy { $0.body == Self.bytes })
            #expect(origin.requests.count { $0.method == "GET" } == 1)
        }
    }

    /// A file that is gone from the data directory is fetched again, and then sent.
    @Test func aLostFileIsFetchedAgain() async throws {
        try await Self.with({ OriginStep.answer("403 No") }) { replica, origin in
            let id = try await replica.submit(
                origin.url("/a.bin"), Self.destination(origin, "PUT"))
            _ = try await replica.reached(.attentionRequired, id)
            #expect(try !replica.lab.takeAway().isEmpty)
            _ = try await replica.perform(.resume, id)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == Self.bytes)
            #expect(origin.requests.count { $0.method == "GET" } == 2)
            #expect(Self.sent(origin).count == 2)
        }
    }

    /// Bytes that were damaged here meanwhile are not sent.
    @Test func damagedBytesAreFetchedAgainAndNotSent() async throws {
        try await Self.with({ OriginStep.answer("403 No") }) { replica, origin in
            let id = try await replica.submit(
                origin.url("/a.bin"), Self.destination(origin, "PUT"))
            _ = try await replica.reached(.attentionRequired, id)
            try Self.damage(replica.lab)
            _ = try await replica.perform(.resume, id)
            _ = try await replica.reached(.succeeded, id)
            #expect(Self.sent(origin).allSatisfy { $0.body == Self.bytes })
            #expect(origin.requests.count { $0.method == "GET" } == 2)
        }
    }
}
