// Objects that are read.
internal import Base
internal import Downloads
internal import Transfers

extension ObjectStore {
    /// Opens an object for reading.
    ///
    /// - Parameters:
    ///   - key: the key with its prefix.
    ///   - range: the wished bytes; nil for all.
    ///   - tag: the entity tag that it must still have; nil for any.
    ///   - call: the bounds; its end also ends the reading.
    /// - Returns: the length and the bytes.
    /// - Throws: `missing`; `conflict` if it has another tag.
    package func open(
        _ key: String, range: ClosedRange<Int64>?, tag: String?, _ call: StoreCall
    ) async throws(StoreFailure) -> StoreReading {
        var request = StoreRequest(.get, "GetObject", key: key)
        if let tag { request.headers.append(("If-Match", tag)) }
        let keys = try credentials.current()
        do throws(StoreFailure) {
            return try await open(request, range, keys, call)
        } catch  where error.kind == .refused && [400, 401, 403].contains(error.status) {
            guard let others = try credentials.renewed(after: keys) else { throw error }
            return try await open(request, range, others, call)
        }
    }

    private func open(
        _ request: StoreRequest, _ range: ClosedRange<Int64>?, _ keys: SigningCredentials,
        _ call: StoreCall
    ) async throws(StoreFailure) -> StoreReading {
        var transfer = try signed(request, keys, call.current)
        transfer.rangeStart = range?.lowerBound
        transfer.rangeEnd = range?.upperBound
        transfer.bufferBytes = 131_072
        let stream = TransferStream(transfer, over: engine)
        guard call.begin(stream.id, on: engine) != nil else {
            throw StoreFailure(.cancelled, "The request was cancelled.")
        }
        let running = RunningCall(stream, call)
        guard let head = await stream.head() else {
            throw stream.result.map { failure(request, $0) }
                ?? StoreFailure(.again, "The store gave no answer.")
        }
        guard let length = length(head, range) else {
            var body: [UInt8] = []
            while body.count < ObjectStore.errorBytesAtMost, let bytes = await stream.next() {
                body += bytes
            }
            let answer = StoreAnswer(head, body)
            guard !(200...299).contains(head.status) else { throw malformed(request, answer) }
            throw masked(answer.failure(of: request, now: now()), keys)
        }
        return StoreReading(length: length) { [self] () async throws(StoreFailure) -> [UInt8]? in
            if let bytes = await running.stream.next() { return bytes }
            guard let result = running.stream.result else { return nil }
            if case .completed = result.outcome { return nil }
            throw failure(request, result)
        }
    }

    /// The length of the whole object in the head of a success; nil for any other head.
    private func length(_ head: ResponseHead, _ range: ClosedRange<Int64>?) -> Int64? {
        let length = head["content-length"].flatMap { Int64($0) }
        switch (head.status, range) {
        case (200, nil): return length
        // Some stores send the range that was asked for with 200.
        case (200, .some(let range)), (206, .some(let range)):
            guard let field = head["content-range"], let slash = field.lastIndex(of: "/"),
                field.hasPrefix("bytes \(range.lowerBound)-")
            else { return nil }
            return Int64(field[field.index(after: slash)...])
        default: return nil
        }
    }

    /// The most bytes of an error's document.
    private static let errorBytesAtMost = 65_536
}

/// A stream whose transfer belongs to a call until nobody reads it any more.
private final class RunningCall: Sendable {
    let stream: TransferStream
    private let call: StoreCall

    init(_ stream: TransferStream, _ call: StoreCall) { (self.stream, self.call) = (stream, call) }

    deinit { call.end(stream.id) }
}
