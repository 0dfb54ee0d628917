// Compression of answers for clients that ask for it (RFC 9110 sections 8.4 and 12.5.3).
internal import Compression
internal import HTTPWire
internal import Synchronization

/// Compresses answers of more than 1 KiB with gzip.
///
/// Bytes of a stream and of content are sent as they are, and so are those with a strong entity
/// tag, which names one sequence of bytes.
final class Compressor: Sendable {
    /// An answer with so many bytes or fewer is sent as it is.
    static let plainBytesAtMost = 1024
    /// An answer with more bytes is sent as it is, so that the memory of an answer is bounded.
    static let bytesAtMost = 16_777_216

    /// The counts of an `answer`.
    struct Counts: Sendable, Equatable {
        /// The bytes before compression.
        var plain: Int64 = 0
        /// The bytes after compression.
        var sent: Int64 = 0
    }

    private struct State {
        /// Compressed answers that do not change while the process runs, by route and parameters.
        var kept: [String: [UInt8]] = [:]
        var counts = Counts()
    }

    private let state = Mutex(State())

    /// Creates it without kept answers.
    init() {}

    /// Whether an answer has other bytes for a client that asks for gzip, apart from its length.
    static func mayCompress(_ response: Response) -> Bool {
        switch response.body {
        case .bytes(let bytes) where !bytes.isEmpty: break
        case .none where response.status == 304: break
        default: return false
        }
        return !response.headers.contains { name, value in
            name == "ETag" && !value.hasPrefix("W/") || name == "Content-Encoding"
                || name == "Content-Range"
        }
    }

    /// Whether an answer is to be compressed for a request.
    static func compresses(_ response: Response, for request: Request) -> Bool {
        guard case .bytes(let bytes) = response.body,
            bytes.count > plainBytesAtMost, bytes.count <= bytesAtMost, mayCompress(response)
        else { return false }
        return AcceptEncoding.prefersGzip(request.headers.all("Accept-Encoding"))
    }

    /// An answer that is made at once, compressed where the client asks for it: apart from the
    /// server's lane if that takes longer than a fraction of a millisecond.
    ///
    /// - Parameters:
    ///   - response: the answer as it is.
    ///   - call: its request, with its route.
    /// - Returns: the answer, or the work that ends in it.
    func answer(_ response: Response, _ call: Call) -> Answer {
        guard Compressor.compresses(response, for: call.request) else { return .now(response) }
        guard call.route.isFixed, response.status == 200 else {
            return .later { await self.compressed(response) }
        }
        let key = ([call.route.path] + call.parameters).joined(separator: "\n")
        if let kept = state.withLock({ $0.kept[key] }) {
            return .now(replacing(response, by: kept))
        }
        return .later {
            let made = await self.compressed(response)
            if case .bytes(let bytes) = made.body { self.state.withLock { $0.kept[key] = bytes } }
            return made
        }
    }

    /// An answer of an endpoint that works asynchronously, compressed where its client asks for it.
    func answer(_ response: Response, for request: Request) async -> Response {
        guard Compressor.compresses(response, for: request) else { return response }
        return await compressed(response)
    }

    private func compressed(_ response: Response) async -> Response {
        response.body.length ?? 0 > LongWork.bodyBytes
            ? await compressedApart(response) : compressedHere(response)
    }

    @LongWork private func compressedApart(_ response: Response) -> Response {
        compressedHere(response)
    }

    /// A refusal, whose bytes are few, compressed on the server's lane.
    func refusal(_ response: Response, for request: Request) -> Response {
        Compressor.compresses(response, for: request) ? compressedHere(response) : response
    }

    private func compressedHere(_ response: Response) -> Response {
        guard case .bytes(let bytes) = response.body, let packed = Gzip.compress(bytes) else {
            return response
        }
        return replacing(response, by: packed)
    }

    private func replacing(_ response: Response, by packed: [UInt8]) -> Response {
        state.withLock { state in
            state.counts.plain += response.body.length ?? 0
            state.counts.sent += Int64(packed.count)
        }
        var answer = response
        answer.headers.append(("Content-Encoding", "gzip"))
        answer.body = .bytes(packed)
        return answer
    }

    /// The bytes of compressed answers as a metric.
    var metric: Metric {
        let counts = state.withLock { $0.counts }
        return Metric(
            "lull_http_gzip_bytes_total", "Bytes of compressed answers, before and after.",
            kind: .counter,
            samples: [
                .init(counts.plain, labels: [("side", "before")]),
                .init(counts.sent, labels: [("side", "after")]),
            ])
    }
}

/// The field `Accept-Encoding`.
enum AcceptEncoding {
    /// Whether gzip is accepted, with a weight not lower than that of bytes as they are.
    ///
    /// Without the field, and with one that names no coding of ours, bytes are sent as they are.
    static func prefersGzip(_ fields: [String]) -> Bool {
        guard !fields.isEmpty else { return false }
        let codings = Accept.ranges(fields)
        func weight(_ names: [String]) -> Double? {
            names.lazy.compactMap { name in codings.first { $0.type == name }?.quality }.first
        }
        guard let gzip = weight(["gzip", "x-gzip", "*"]), gzip > 0 else { return false }
        return gzip >= weight(["identity"]) ?? 0
    }
}

extension Response {
    /// Says that the answer depends on a field of the request.
    mutating func vary(by field: String) {
        guard let place = headers.firstIndex(where: { $0.0 == "Vary" }) else {
            return headers.append(("Vary", field))
        }
        headers[place].1 += ", " + field
    }
}
