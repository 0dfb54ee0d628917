// The lab of the sending tests: a receiver that reads as a test wants, and sources of known bytes.
import Base
import Platform
import Support
import Synchronization
import Testing

@testable import Transfers

/// The bytes of test bodies, in which no two places look alike soon.
enum Pattern {
    private static let block: [UInt8] = (0..<65_521).map { place in
        UInt8(truncatingIfNeeded: (place &* 2_654_435_761) >> 13)
    }

    /// The bytes of a stretch.
    static func bytes(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var place = range.lowerBound
        while place < range.upperBound {
            let start = place % block.count
            let count = min(block.count - start, range.upperBound - place)
            bytes += block[start..<(start + count)]
            place += count
        }
        return bytes
    }
}

/// A source of the pattern that counts how it is used.
final class PatternSource: Sendable {
    struct Seen {
        /// The next byte.
        var position = 0
        var reads = 0
        var pauses = 0
        var rewinds = 0
    }

    let length: Int
    private let piece: Int
    private let answer: @Sendable (_ position: Int, _ read: Int) -> TransferSource.Answer?
    private let canRewind: Bool
    private let seen = Mutex(Seen())
    private let resume = Mutex<(@Sendable () -> Void)?>(nil)

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - length: the number of bytes.
    ///   - piece: the most bytes at once.
    ///   - canRewind: whether the bytes can be read a second time.
    ///   - answer: takes the place of bytes where it is not nil.
    init(
        _ length: Int, piece: Int = .max, canRewind: Bool = true,
        _ answer: @escaping @Sendable (_ position: Int, _ read: Int) -> TransferSource.Answer? = {
            _, _ in nil
        }
    ) {
        self.length = length
        self.piece = piece
        self.canRewind = canRewind
        self.answer = answer
    }

    var state: Seen { seen.withLock { $0 } }

    /// The source for one transfer; a pause ends in the engine's next turn.
    func source(_ resumption: (@Sendable () -> Void)?) -> TransferSource {
        resume.withLock { $0 = resumption }
        return unsafe TransferSource(
            length: Int64(length), read: { unsafe self.read($0) },
            rewind: {
                self.seen.withLock { seen in
                    seen.rewinds += 1
                    seen.position = 0
                }
                return self.canRewind
            })
    }

    private func read(_ room: UnsafeMutableRawBufferPointer) -> TransferSource.Answer {
        let (position, read) = seen.withLock { seen -> (Int, Int) in
            seen.reads += 1
            return (seen.position, seen.reads)
        }
        if let answer = answer(position, read) {
            if answer == .pause {
                seen.withLock { $0.pauses += 1 }
                resume.withLock { $0 }?()
            }
            return answer
        }
        let count = min(room.count, piece, length - position)
        unsafe room.copyBytes(from: Pattern.bytes(position..<(position + count)))
        seen.withLock { $0.position += count }
        return .bytes(count)
    }
}

extension TransferEngine {
    /// Sends a body, with PUT where the change says nothing else.
    func send(
        _ source: PatternSource, to url: String, id: TransferID = TransferID(),
        limit: Int = 1 << 20, _ change: (inout TransferRequest) -> Void = { _ in }
    ) async throws -> TransferResult {
        let asked = try request(url) {
            $0.method = .put
            $0.source = source.source { self.resume(id) }
            change(&$0)
        }
        return await run(asked, id: id, into: .buffer(limit: limit))
    }
}

/// Runs a test with a receiver and an engine, and closes both; the wait for the receiver's consent
/// is in milliseconds, by default longer than any test.
func withReceiver(
    consent: Int = 60_000, _ peer: @escaping @Sendable (OriginPeer) -> Void,
    _ test: (TransferEngine, OriginServer) async throws -> Void
) async throws {
    let origin = try OriginServer(peer: peer)
    defer { origin.close() }
    var configuration = TransferEngine.Configuration(
        destinations: try Destinations.parse("loopback"), userAgent: "Lull/test")
    configuration.consentMilliseconds = consent
    let engine = try TransferEngine.open(configuration)
    do {
        try await test(engine, origin)
    } catch {
        await engine.close()
        throw error
    }
    await engine.close()
    #expect(engine.gauges.running == 0 && engine.gauges.inBody == 0)
    #expect(engine.gauges.waitingForBandwidth == 0)
}

/// The requests that a receiver read.
final class Receipts: Sendable {
    struct Receipt {
        let connection: Int
        let head: [String]
        var body: [UInt8] = []

        /// The value of a field; nil without it.
        subscript(_ name: String) -> String? {
            let start = name.lowercased() + ": "
            return head.first { $0.lowercased().hasPrefix(start) }
                .map { String($0.dropFirst(start.count)) }
        }

        var length: Int { self["content-length"].flatMap { Int($0) } ?? 0 }
        var asksForConsent: Bool { self["expect"] == "100-continue" }
    }

    private let list = Mutex<[Receipt]>([])

    var all: [Receipt] { list.withLock { $0 } }

    /// Reads the next request up to its body.
    func head(_ peer: OriginPeer) -> Receipt? {
        peer.head().map { Receipt(connection: peer.number, head: $0) }
    }

    /// Notes a request.
    func note(_ receipt: Receipt) { list.withLock { $0.append(receipt) } }

    /// Reads a request to its end, with the consent that it may ask for.
    ///
    /// - Returns: nil if the stream ended before.
    func take(_ peer: OriginPeer) -> Receipt? {
        guard var receipt = head(peer) else { return nil }
        if receipt.asksForConsent { peer.send("HTTP/1.1 100 Continue\r\n\r\n") }
        receipt.body = peer.body(receipt.length)
        note(receipt)
        return receipt.body.count == receipt.length ? receipt : nil
    }

    static let created = "HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\ndone"

    /// Takes requests and answers them until the stream ends.
    func serve(_ peer: OriginPeer) {
        while take(peer) != nil { guard peer.send(Receipts.created) else { return } }
    }
}

/// A fact that a thread of the receiver notes.
final class Flag: Sendable {
    private let value = Mutex(false)

    var isSet: Bool { value.withLock { $0 } }

    func set() { value.withLock { $0 = true } }
}
