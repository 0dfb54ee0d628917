// The lab of the transfer tests: an engine, a scripted origin, and a sink that records.
import Base
import Platform
import Support
import Synchronization
import Testing
import Transfers

/// Runs a test with an origin and an engine, and closes both.
func withLab(
    destinations: String = "public,loopback", _ script: @escaping OriginServer.Script,
    _ test: (TransferEngine, OriginServer) async throws -> Void
) async throws {
    let origin = try OriginServer(script)
    defer { origin.close() }
    let configuration = TransferEngine.Configuration(
        destinations: try Destinations.parse(destinations), userAgent: "Lull/test")
    let engine = try TransferEngine.open(configuration)
    do {
        try await test(engine, origin)
    } catch {
        await engine.close()
        throw error
    }
    await engine.close()
    #expect(engine.gauges.running == 0 && engine.gauges.inBody == 0)
}

/// A GET whose timeouts are short enough for a test.
func request(
    _ url: String, _ change: (inout TransferRequest) -> Void = { _ in }
) throws -> TransferRequest {
    var request = TransferRequest(url: try SourceURL(parsing: url))
    request.idleTimeout = .seconds(20)
    request.totalTimeout = .seconds(40)
    change(&request)
    return request
}

extension TransferEngine {
    /// Runs a request and collects its body in memory.
    func fetch(
        _ url: String, limit: Int = 1 << 20, _ change: (inout TransferRequest) -> Void = { _ in }
    ) async throws -> TransferResult {
        await run(try request(url, change), id: TransferID(), into: .buffer(limit: limit))
    }
}

extension TransferResult {
    var text: String { String(decoding: buffer, as: UTF8.self) }

    var failure: TransferFailure? {
        if case .failed(let failure) = outcome { failure } else { nil }
    }
}

/// Waits until a condition holds, at most thirty seconds.
func eventually(_ condition: () async -> Bool) async -> Bool {
    for _ in 0..<30_000 {
        if await condition() { return true }
        // A bounded poll: the condition belongs to another thread, which sends no signal.
        do { try await Task.sleep(for: .milliseconds(1)) } catch { return false }
    }
    return false
}

/// A sink that records its calls, and returns the answers that the test gives.
final class RecordingSink: Sendable {
    struct Seen {
        var heads: [ResponseHead] = []
        var bytes: [UInt8] = []
        var offers = 0
    }

    private let seen = Mutex(Seen())
    private let onHead: @Sendable (ResponseHead) -> TransferSink.Answer
    private let onBytes: @Sendable (_ bytes: Int, _ offer: Int) -> TransferSink.Answer

    init(
        onHead: @escaping @Sendable (ResponseHead) -> TransferSink.Answer = { _ in .taken },
        onBytes: @escaping @Sendable (_ bytes: Int, _ offer: Int) -> TransferSink.Answer = { _, _ in
            .taken
        }
    ) {
        self.onHead = onHead
        self.onBytes = onBytes
    }

    var state: Seen { seen.withLock { $0 } }

    var sink: TransferSink {
        unsafe TransferSink(
            begin: { head in
                self.seen.withLock { $0.heads.append(head) }
                return self.onHead(head)
            },
            receive: { bytes in
                let offer = self.seen.withLock { seen in
                    seen.offers += 1
                    return seen.offers
                }
                let answer = self.onBytes(bytes.count, offer)
                if answer == .taken {
                    self.seen.withLock { unsafe $0.bytes.append(contentsOf: bytes) }
                }
                return answer
            })
    }
}
