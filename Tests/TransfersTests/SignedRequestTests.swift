// Requests whose fields are made at the moment when they are sent.
import Base
import Downloads
import Platform
import Support
import Synchronization
import Testing
import Transfers

@Suite struct SignedRequestTests {
    private static let keys = SigningKeys(
        accessKey: "a", secretKey: "b", sessionToken: nil, region: "r", service: "s3")

    /// A request with keys for the origin of a URL.
    private static func transfer(
        _ url: String, _ signed: @escaping @Sendable (UnsignedRequest) -> Void
    ) throws -> TransferRequest {
        var secrets = RequestSecrets()
        secrets.authorization = .signature(keys)
        secrets.headers = [
            HeaderField("X-Amz-Acl", "private"), HeaderField("x-amz-date", "the client's"),
            HeaderField("X-Other", "o"), HeaderField("Content-Type", "a/b"),
        ]
        return try request(url) {
            $0.secrets = OutgoingSecrets(
                BoundSecrets(secrets, for: url),
                BoundSessionSecrets(SessionSecrets(), for: SecretReach(nil)))
            $0.memory = AttemptMemory(
                hash: { _, _ in "" },
                signer: { request, keys in
                    #expect(keys == Self.keys)
                    signed(request)
                    return [
                        HeaderField("X-Amz-Date", "now"),
                        HeaderField("Authorization", "signed \(request.url.target)"),
                    ]
                })
        }
    }

    private static func heads(_ origin: OriginServer) -> [String] {
        origin.requests.map { String(decoding: $0.head, as: UTF8.self) + "\r\n" }
    }

    @Test func eachHopIsSignedForItsOwnTarget() async throws {
        let signed = Mutex<[UnsignedRequest]>([])
        try await withLab { request in
            request.target == "/first"
                ? OriginStep.answer("302 Found", headers: ["Location: /second?x"])
                : OriginStep.answer("200 OK", body: "ok")
        } _: { engine, origin in
            var transfer = try Self.transfer(origin.url("/first")) { request in
                signed.withLock { $0.append(request) }
            }
            transfer.rangeStart = 5
            let result = await engine.run(transfer, id: TransferID(), into: .discard)
            #expect(result.head?.status == 200)
            let requests = Self.heads(origin)
            #expect(requests.count == 2)
            #expect(requests.first?.contains("Authorization: signed /first\r\n") == true)
            #expect(requests.last?.contains("Authorization: signed /second?x\r\n") == true)
            #expect(
                requests.allSatisfy {
                    $0.contains("X-Amz-Date: now\r\n") && $0.contains("X-Other: o\r\n")
                        && $0.contains("Range: bytes=5-\r\n") && !$0.contains("the client's")
                })
            let covered = signed.withLock { $0 }
            #expect(covered.map(\.url.target) == ["/first", "/second?x"])
            #expect(covered.allSatisfy { $0.method == "GET" && $0.body == [] })
            #expect(covered.first?.headers.map(\.name) == ["X-Amz-Acl", "Content-Type"])
        }
    }

    @Test func aBodyIsSignedWithItsBytes() async throws {
        let signed = Mutex<[UnsignedRequest]>([])
        try await withLab { _ in
            OriginStep.answer("200 OK", body: "ok")
        } _: { engine, origin in
            var transfer = try Self.transfer(origin.url("/post")) { request in
                signed.withLock { $0.append(request) }
            }
            transfer.method = .post
            transfer.body = [1, 2, 3]
            let result = await engine.run(transfer, id: TransferID(), into: .discard)
            #expect(result.head?.status == 200)
            #expect(signed.withLock { $0.map(\.body) } == [[1, 2, 3]])
        }
    }

    @Test func anotherOriginGetsNoSignature() async throws {
        let other = try OriginServer { (_: OriginRequest) in
            OriginStep.answer("200 OK", body: "ok")
        }
        defer { other.close() }
        try await withLab { _ in
            OriginStep.answer("302 Found", headers: ["Location: \(other.url("/away"))"])
        } _: { engine, origin in
            let transfer = try Self.transfer(origin.url("/first")) { _ in }
            let result = await engine.run(transfer, id: TransferID(), into: .discard)
            #expect(result.head?.status == 200)
            let requests = Self.heads(other)
            #expect(requests.count == 1)
            #expect(requests.allSatisfy { !$0.contains("signed") && !$0.contains("X-Amz") })
        }
    }
}
