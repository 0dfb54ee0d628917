// Content that another replica has: requested with a signature, and passed on as it arrives.
internal import API
internal import Base
internal import HTTPWire
internal import Platform
internal import Synchronization
internal import Transfers

/// Requests files from other replicas, and passes on the verified bytes; memory is bounded for each
/// body and in total.
final class PeerClient: Sendable {
    /// The most bodies that are passed on at once.
    static let bodiesAtMost = 512
    /// The number of requests in a row without a byte after which a body is given up.
    private static let vainAtMost = 3

    private struct State {
        var engine: TransferEngine?
        var isClosed = false
    }

    /// The counts for metrics.
    let gauge = PeerGauge()
    /// The tasks that read clients whose requests are passed on.
    let filling = TaskOwner()
    let keys: PeerKeys
    private let log: Log
    let now: @Sendable () -> Timestamp
    private let state = Mutex(State())

    /// Creates a client without connections.
    ///
    /// - Parameters:
    ///   - keys: sign its requests, and judge the answers.
    ///   - log: gets what ends a body of which a part was passed on.
    ///   - now: the database's clock.
    init(keys: PeerKeys, log: Log, now: @escaping @Sendable () -> Timestamp) {
        self.keys = keys
        self.log = log
        self.now = now
    }

    /// Requests a file or a range of it; the bytes follow as they are read.
    func fetch(_ wanted: PeerRequest) async -> PeerAnswer {
        let answer = await ask(wanted)
        gauge.count(answer)
        return answer
    }

    /// Ends the requests in progress.
    func close() async {
        let engine = state.withLock { state in
            state.isClosed = true
            return state.engine.take()
        }
        await engine?.close()
    }

    /// An answer with a verified head.
    private struct Opened {
        let stream: TransferStream
        /// The verified part of the body; nil if no byte was requested.
        var blocks: ProvenBlocks?
    }

    /// The outcome of a request.
    private enum Opening {
        case open(Opened)
        case none(PeerAnswer)
    }

    /// The client gets a status only after the first block is verified.
    private func ask(_ wanted: PeerRequest) async -> PeerAnswer {
        guard let place = gauge.enter(atMost: PeerClient.bodiesAtMost) else {
            return .unavailable("\(PeerClient.bodiesAtMost) bodies are passed on already")
        }
        var opened: Opened
        switch await open(wanted, wanted.range) {
        case .none(let answer): return answer
        case .open(let answer): opened = answer
        }
        guard let range = wanted.range else { return .body(BodyStream(length: 0) { _ in }) }
        guard let first = await PeerClient.nextProven(&opened) else {
            return PeerClient.end(of: opened)
        }
        let begun = opened
        return .body(
            BodyStream(length: range.upperBound + 1 - range.lowerBound) { writer in
                await self.pass(wanted, range, begun, first, to: writer)
                withExtendedLifetime(place) {}
            })
    }

    /// Sends a request and checks the head of its answer.
    private func open(
        _ wanted: PeerRequest, _ range: ClosedRange<Int64>?
    ) async -> Opening {
        let question = PeerKeys.question(wanted.path(range))
        let stream: TransferStream
        do {
            stream = try begin(question, at: wanted.address)
        } catch {
            return .none(.unavailable("\(error)"))
        }
        guard let head = await stream.head() else {
            return .none(.unavailable(PeerClient.reason(stream)))
        }
        let length = head[PeerProof.lengthField.lowercased()].flatMap { Int64($0) }
        let field = head[PeerProof.field.lowercased()]
        guard
            let proof = keys.proof(field, of: question, status: head.status, length: length)
        else {
            let fault = field == nil ? "without a proof" : "with a wrong proof"
            return .none(
                .unproven(
                    "status \(head.status) \(fault): another program answers there, or an older "
                        + "version of Lull"))
        }
        switch head.status {
        case 200: break
        case 410: return .none(.changed)
        case 503 where length == nil: return .none(.missing)
        default: return .none(.unavailable("status \(head.status)"))
        }
        guard length == wanted.length else { return .none(.missing) }
        return .open(Opened(stream: stream, blocks: range.map { ProvenBlocks(proof, $0) }))
    }

    /// The next verified bytes; nil at the end, and after bytes that fail the check.
    private static func nextProven(_ opened: inout Opened) async -> [UInt8]? {
        while let bytes = await opened.stream.next() {
            guard let proven = opened.blocks?.take(bytes) else { return nil }
            if !proven.isEmpty { return proven }
        }
        return nil
    }

    /// The outcome of an answer that ended before its range did.
    private static func end(of opened: Opened) -> PeerAnswer {
        guard opened.blocks?.isRefused == true else { return .unavailable(reason(opened.stream)) }
        return .unproven("bytes whose proof is missing or wrong")
    }

    /// Passes a range on; after a lost connection the rest is requested again.
    private func pass(
        _ wanted: PeerRequest, _ range: ClosedRange<Int64>, _ begun: Opened, _ first: [UInt8],
        to writer: BodyWriter
    ) async {
        var (opened, ready, next, vain) = (begun, Optional(first), range.lowerBound, 0)
        while true {
            while let bytes = ready {
                guard await writer.write(bytes) else { return }
                next += Int64(bytes.count)
                gauge.passed(bytes.count)
                vain = 0
                ready = next > range.upperBound ? nil : await PeerClient.nextProven(&opened)
            }
            guard next <= range.upperBound else { return }
            note(PeerClient.end(of: opened), wanted)
            vain += 1
            while true {
                guard vain <= PeerClient.vainAtMost else { return }
                await Alarm().wait(upTo: .milliseconds(200 * vain))
                // Bytes of an answer with another head are not passed on.
                guard case .open(let answer) = await open(wanted, next...range.upperBound) else {
                    vain += 1
                    continue
                }
                opened = answer
                break
            }
            ready = await PeerClient.nextProven(&opened)
        }
    }

    /// Counts and logs an answer that failed after its client had received a part.
    private func note(_ answer: PeerAnswer, _ wanted: PeerRequest) {
        gauge.count(answer)
        switch answer {
        case .body, .missing, .changed: break
        case .unproven(let cause), .unavailable(let cause):
            log.warn(
                "content from another replica ended early",
                [
                    ("download_id", .string(wanted.download.text)),
                    ("address", .string(wanted.address)), ("error", .string(cause)),
                ])
        }
    }

    private func begin(
        _ question: PeerQuestion, at address: String
    ) throws -> TransferStream {
        let url = try SourceURL(parsing: "http://\(address)\(question.path)")
        var request = TransferRequest(url: url)
        request.headers = [
            ("Authorization", keys.authorization(request.method.rawValue, question, at: now()))
        ]
        request.lookupTimeout = .seconds(5)
        request.connectTimeout = .seconds(5)
        request.idleTimeout = .seconds(15)
        request.followsRedirects = 0
        request.bufferBytes = 131_072
        return TransferStream(request, over: try engine())
    }

    /// The transfer engine, made on first use: most replicas never need one, and it costs a thread.
    func engine() throws -> TransferEngine {
        try state.withLock { state in
            if let engine = state.engine { return engine }
            guard !state.isClosed else { throw CommandError("the service is stopping") }
            let everywhere = try Destinations.parse("public,private,loopback")
            let engine = try TransferEngine.open(
                TransferEngine.Configuration(
                    destinations: everywhere, userAgent: "Lull-Replica/\(Version.text)"))
            state.engine = engine
            return engine
        }
    }

    static func reason(_ stream: TransferStream) -> String {
        guard case .failed(let failure)? = stream.result?.outcome else {
            return "the answer ended early"
        }
        return failure.description
    }
}
