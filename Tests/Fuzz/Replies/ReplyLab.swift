// Plays cases against an engine, and judges the engine's reports.
import Base
import Downloads
import Support
import Synchronization
import Transfers

/// A case in which the engine reported something untrue.
package struct ReplyFinding: Sendable, CustomStringConvertible {
    /// The role of the peer in the case.
    package let role: ReplyRole
    /// The number of the case.
    package let number: Int
    /// The engine's report, and the reply.
    package let description: String
}

/// The results of many cases.
package struct ReplyTally: Sendable {
    /// The number of cases.
    package var cases = 0
    /// The number of cases that the engine called complete.
    package var complete = 0
    /// The false reports.
    package var findings: [ReplyFinding] = []

    /// An empty tally.
    package init() {}
}

/// A server that plays cases, and an engine that asks it; close it after use.
package final class ReplyLab: Sendable {
    private let seed: UInt64
    private let silence: Duration
    private let server: OriginServer
    private let engine: TransferEngine

    /// Opens the server and the engine.
    ///
    /// - Parameters:
    ///   - seed: the seed of every case.
    ///   - silence: how long the engine waits for a peer that sends nothing more, above 0; a case
    ///     that ends by it has shown only that it did not crash.
    /// - Throws: an error if there is no room for either.
    package init(seed: UInt64, silence: Duration = .seconds(5)) throws {
        self.seed = seed
        self.silence = silence
        server = try OriginServer { request in
            let role = request["x-role"].flatMap(ReplyRole.init) ?? .tunnel
            let target =
                request.method == "CONNECT" ? ReplyLab.tunnelTarget(request) : request.target
            return ReplyCase(role, ReplyCase.number(in: target), seed: seed).steps
        }
        let loopback = try Destinations.parse("loopback")
        engine = try TransferEngine.open(
            TransferEngine.Configuration(
                destinations: loopback, userAgent: "Lull/fuzz", proxyDestinations: loopback))
    }

    /// Ends the server and the engine.
    package func close() async {
        await engine.close()
        server.close()
    }

    /// Plays cases, sixteen at a time, so that handles and connections are used by many.
    ///
    /// - Parameters:
    ///   - numbers: the numbers of the cases.
    ///   - role: the role that the peer plays.
    /// - Returns: the results.
    /// - Throws: `SourceURLError`, which the URLs of this lab give no reason for.
    package func play(_ numbers: Range<Int>, as role: ReplyRole) async throws -> ReplyTally {
        var tally = ReplyTally()
        try await withThrowingTaskGroup(of: (Bool, ReplyFinding?).self) { group in
            for number in numbers {
                if number >= numbers.lowerBound + 16, let ended = try await group.next() {
                    tally.count(ended)
                }
                group.addTask { try await self.play(ReplyCase(role, number, seed: self.seed)) }
            }
            for try await ended in group { tally.count(ended) }
        }
        return tally
    }

    private func play(_ item: ReplyCase) async throws -> (Bool, ReplyFinding?) {
        let id = TransferID()
        let sink = PausingSink(engine, id, isPausing: item.isPausing)
        let result: TransferResult
        if item.role == .receiver {
            result = await engine.run(try request(for: item), id: id, into: .buffer(limit: 4096))
        } else {
            result = await engine.run(try request(for: item), id: id, into: .sink(sink.sink))
        }
        guard case .completed(let isVerified) = result.outcome else { return (false, nil) }
        let bytes = item.role == .receiver ? result.buffer : sink.bytes
        let wrong = complaint(result, bytes, item, isVerified: isVerified)
        return (
            true,
            wrong.map {
                ReplyFinding(
                    role: item.role, number: item.number,
                    description: "\(item.role) \(item.number), seed \(seed): \($0)")
            }
        )
    }

    /// The reason why a complete outcome is wrong; nil if it is right.
    private func complaint(
        _ result: TransferResult, _ bytes: [UInt8], _ item: ReplyCase, isVerified: Bool
    ) -> String? {
        guard let head = result.head else { return "complete without a head" }
        guard item.role != .tunnel else { return "complete without TLS" }
        // After redirects the last reply is the one to judge.
        let last = ReplyCase.number(in: head.url.target)
        let answer = last == item.number ? item : ReplyCase(item.role, last, seed: seed)
        let reading = ReplyReading(answer.bytes, hasBody: item.method != .head)
        let told = item.role == .receiver ? Array(reading.body.prefix(4096)) : reading.body
        let start = String(decoding: answer.bytes.prefix(400), as: UTF8.self)
        let rest = String(decoding: answer.bytes.dropFirst(400).suffix(200), as: UTF8.self)
        let sent =
            "sent \(answer.bytes.count) bytes, \(start.debugDescription) to "
            + rest.debugDescription
        guard !reading.hasZeroLine else { return nil }
        guard reading.end == .whole else {
            let names = head.fields.map(\.name).joined(separator: " ").prefix(200)
            return "complete with \(head.status), fields \(names) and \(bytes.count) bytes in "
                + "reply to \(item.method), but \(reading.end): \(sent)"
        }
        guard head.status == reading.status else { return "status \(head.status): \(sent)" }
        guard bytes == told, result.bodyBytes == reading.body.count else {
            return "\(result.bodyBytes) bytes instead of \(reading.body.count): \(sent)"
        }
        return isVerified && !reading.isDelimited ? "verified without a length: \(sent)" : nil
    }

    private func request(for item: ReplyCase) throws -> TransferRequest {
        let place = "/r/\(item.number)"
        let url =
            switch item.role {
            case .origin, .receiver: server.url(place)
            case .proxy: "http://127.0.0.1:9080\(place)"
            case .tunnel: "https://127.0.0.1:9443\(place)"
            }
        var request = TransferRequest(url: try SourceURL(parsing: url))
        request.method = item.method
        request.headers = [("X-Role", item.role.rawValue)]
        request.followsRedirects = item.followsRedirects
        request.idleTimeout = silence
        request.totalTimeout = .seconds(20)
        switch item.role {
        case .origin: break
        case .receiver:
            request.body = Array("{}".utf8)
            request.maximumBodyBytes = 65_536
        case .proxy, .tunnel:
            request.proxy = TransferProxy(
                url: try SourceURL(parsing: "http://127.0.0.1:\(server.port)"),
                credentials: ProxyCredentials(username: "/r/\(item.number)", password: "x"))
        }
        return request
    }

    /// A request for a tunnel has no path; its number is the name that the proxy asks for.
    private static func tunnelTarget(_ request: OriginRequest) -> String {
        let coded =
            request["proxy-authorization"]?.split(separator: " ").last.map(String.init) ?? ""
        return Base64Text.decode(coded).split(separator: ":").first.map(String.init) ?? ""
    }
}

extension ReplyTally {
    fileprivate mutating func count(_ ended: (isComplete: Bool, finding: ReplyFinding?)) {
        cases += 1
        complete += ended.isComplete ? 1 : 0
        if let finding = ended.finding { findings.append(finding) }
    }

    /// Adds another tally.
    package mutating func add(_ other: ReplyTally) {
        cases += other.cases
        complete += other.complete
        findings += other.findings
    }
}

/// Keeps the bytes, and pauses now and then.
private final class PausingSink: Sendable {
    private let kept = Mutex<(bytes: [UInt8], offers: Int)>(([], 0))
    private let engine: TransferEngine
    private let id: TransferID
    private let isPausing: Bool

    init(_ engine: TransferEngine, _ id: TransferID, isPausing: Bool) {
        self.engine = engine
        self.id = id
        self.isPausing = isPausing
    }

    var bytes: [UInt8] { kept.withLock { $0.bytes } }

    var sink: TransferSink {
        unsafe TransferSink(
            begin: { _ in .taken },
            receive: { bytes in
                let takes = self.kept.withLock { kept -> Bool in
                    kept.offers += 1
                    guard !self.isPausing || kept.offers % 3 != 1 else { return false }
                    unsafe kept.bytes.append(contentsOf: bytes)
                    return true
                }
                if !takes { self.engine.resume(self.id) }
                return takes ? .taken : .pause
            })
    }
}

/// Reads base64, for proxy credentials.
private enum Base64Text {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func decode(_ text: String) -> String {
        var (bits, count) = (0, 0)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            guard let value = alphabet.firstIndex(of: byte) else { break }
            (bits, count) = ((bits << 6 | value) & 0xffff, count + 6)
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
