// Bodies that are taken piece by piece.
import Support
import Testing
import Transfers

@Suite struct TransferStreamTests {
    private static let body = String(repeating: "0123456789abcdef", count: 1 << 16)

    /// Reads to the end.
    private func rest(of stream: TransferStream) async -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = await stream.next() { bytes += piece }
        return bytes
    }

    @Test func aSlowReaderGetsEveryByteInOrder() async throws {
        try await withLab { _ in
            OriginStep.answer(body: Self.body)
        } _: { engine, origin in
            let stream = TransferStream(
                try request(origin.url("/")), over: engine, bytesAtMost: 40_000)
            let head = try #require(await stream.head())
            #expect(head.status == 200)
            // The body is not read: the transfer fills its room and pauses.
            #expect(await eventually { engine.gauges.receivedBytes > 20_000 })
            var bytes: [UInt8] = []
            while let piece = await stream.next() {
                #expect(piece.count <= 40_000, "no more waits than there is room for")
                bytes += piece
                try await Task.sleep(for: .milliseconds(1))
            }
            #expect(bytes.elementsEqual(Self.body.utf8))
            #expect(stream.result?.outcome == .completed(lengthVerified: true))
        }
    }

    @Test func failuresEndTheBody() async throws {
        let cut = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"
        try await withLab { request in
            request.target == "/cut" ? [.send(cut)] : []
        } _: { engine, origin in
            let stream = TransferStream(try request(origin.url("/cut")), over: engine)
            #expect(await stream.head()?.status == 200)
            #expect(await rest(of: stream).elementsEqual("half".utf8))
            guard case .failed = stream.result?.outcome else {
                Issue.record("\(String(describing: stream.result?.outcome))")
                return
            }
            let silent = TransferStream(try request(origin.url("/none")), over: engine)
            #expect(await silent.head() == nil)
            #expect(await silent.next() == nil)
        }
    }

    @Test func theLastReferenceCancels() async throws {
        try await withLab { _ in
            OriginStep.answer(body: Self.body)
        } _: { engine, origin in
            var stream: TransferStream? = TransferStream(
                try request(origin.url("/")), over: engine, bytesAtMost: 40_000)
            #expect(await stream?.head() != nil)
            #expect(engine.gauges.running == 1)
            stream = nil
            #expect(await eventually { engine.gauges.running == 0 })
        }
    }
}
