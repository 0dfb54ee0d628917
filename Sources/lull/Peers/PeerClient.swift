// Content that another replica has: asked for with a signature, and passed on as it comes.
internal import API
internal import Core
internal import HTTPWire
internal import Platform
internal import Synchronization
internal import Transfers

/// Asks other replicas for files; memory is bounded for each body and for all.
final class PeerClient: Sendable {
    /// Bodies that are passed on at once.
    private static let bodiesAtMost = 512
    /// Requests for the rest of a body without a byte, before it is given up.
    private static let vainAtMost = 3

    private struct State {
        var engine: TransferEngine?
        var isClosed = false
    }

    /// What was passed on, for metrics.
    let gauge = PeerGauge()
    private let keys: PeerKeys
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())

    /// A client without connections.
    ///
    /// - Parameters:
    ///   - keys: sign its requests.
    ///   - now: the database's clock.
    init(keys: PeerKeys, now: @escaping @Sendable () -> Timestamp) {
        self.keys = keys
        self.now = now
    }

    /// Asks for a file or a range of it; the bytes follow as they are taken.
    func fetch(_ wanted: PeerRequest) async -> PeerAnswer {
        let answer = await ask(wanted)
        gauge.count(answer)
        return answer
    }

    /// Ends what is under way.
    func close() async {
        let engine = state.withLock { state in
            state.isClosed = true
            return state.engine.take()
        }
        await engine?.close()
    }

    private func ask(_ wanted: PeerRequest) async -> PeerAnswer {
        guard let place = gauge.enter(atMost: PeerClient.bodiesAtMost) else {
            return .unavailable("\(PeerClient.bodiesAtMost) bodies are passed on already")
        }
        let stream: TransferStream
        do {
            stream = try begin(wanted, from: wanted.range?.lowerBound)
        } catch {
            return .unavailable("\(error)")
        }
        guard let head = await stream.head() else {
            return .unavailable(PeerClient.reason(stream))
        }
        switch head.status {
        case 200, 206: break
        case 410: return .missing
        default: return .unavailable("status \(head.status)")
        }
        guard PeerClient.length(of: head) == wanted.length else { return .missing }
        guard let range = wanted.range else { return .body(BodyStream(length: 0) { _ in }) }
        guard head.status == 206 else { return .unavailable("no range in the answer") }
        return .body(
            BodyStream(length: range.upperBound + 1 - range.lowerBound) { writer in
                await self.pass(wanted, range, stream, to: writer)
                withExtendedLifetime(place) {}
            })
    }

    /// Passes a range on; after a break the rest is asked for again.
    private func pass(
        _ wanted: PeerRequest, _ range: ClosedRange<Int64>, _ first: TransferStream,
        to writer: BodyWriter
    ) async {
        var (stream, next, vain) = (first, range.lowerBound, 0)
        while true {
            while let bytes = await stream.next() {
                // More than was asked for is no answer to the question.
                guard Int64(bytes.count) <= range.upperBound + 1 - next,
                    await writer.write(bytes)
                else { return }
                next += Int64(bytes.count)
                gauge.passed(bytes.count)
                vain = 0
            }
            vain += 1
            guard next <= range.upperBound, vain <= PeerClient.vainAtMost else { return }
            await Alarm().wait(upTo: .milliseconds(200 * vain))
            do {
                stream = try begin(wanted, from: next)
            } catch {
                return
            }
            guard let head = await stream.head(), head.status == 206,
                PeerClient.length(of: head) == wanted.length
            else {
                // Nothing of another answer is passed on.
                while await stream.next() != nil {}
                continue
            }
        }
    }

    private func begin(
        _ wanted: PeerRequest, from start: Int64?
    ) throws -> TransferStream {
        let url = try SourceURL(parsing: "http://\(wanted.address)\(wanted.path)")
        var request = TransferRequest(url: url)
        var field = ""
        if let start, let range = wanted.range {
            request.rangeStart = start
            request.rangeEnd = range.upperBound
            field = "bytes=\(start)-\(range.upperBound)"
        } else {
            request.method = .head
        }
        let signature = keys.authorization(
            request.method.rawValue, wanted.path, range: field, at: now())
        request.headers = [("Authorization", signature)]
        request.lookupTimeout = .seconds(5)
        request.connectTimeout = .seconds(5)
        request.idleTimeout = .seconds(15)
        request.followsRedirects = 0
        request.bufferBytes = 131_072
        return TransferStream(request, over: try engine())
    }

    /// The engine; most replicas never need one, and one costs a thread.
    private func engine() throws -> TransferEngine {
        try state.withLock { state in
            if let engine = state.engine { return engine }
            guard !state.isClosed else { throw CommandError("the service stops") }
            let everywhere = try Destinations.parse("public,private,loopback")
            let engine = try TransferEngine.open(
                TransferEngine.Configuration(
                    destinations: everywhere, userAgent: "Lull-Replica/\(Version.text)"))
            state.engine = engine
            return engine
        }
    }

    /// The length of the whole file; nil if the answer does not have it.
    private static func length(of head: ResponseHead) -> Int64? {
        guard head.status == 206 else { return head["content-length"].flatMap { Int64($0) } }
        return head["content-range"]?.split(separator: "/").last.flatMap { Int64($0) }
    }

    private static func reason(_ stream: TransferStream) -> String {
        guard case .failed(let failure)? = stream.result?.outcome else { return "no answer" }
        return failure.description
    }
}
