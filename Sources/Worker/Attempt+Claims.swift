// What the answers of one attempt say about the whole: gathered while they are taken, so that all
// of it is compared with the file, and with what later answers say.
internal import Content
internal import Core
internal import Store
internal import Synchronization
internal import Transfers

/// The answer whose body is being taken.
struct TakenAnswer: Sendable {
    /// The bytes that it announces; nil for a whole whose end is not announced.
    var range: Range<Int64>?
    /// Whether it ends where the whole does, as far as anybody said.
    var reachesEnd = true
}

extension Attempt {
    /// Digests of parts that are compared; each costs a look at a piece of the file.
    private static let partDigestsAtMost = 1024

    /// Takes note of an answer whose body is taken.
    func take(_ facts: ResponseFacts, _ decision: BodyDecision, _ plan: ResumePlan) {
        let said = RepresentationClaims(facts, now: tools.clock.now)
        let claims = state.withLock { state -> RepresentationClaims? in
            // A refused answer says nothing about the bytes that are here.
            switch decision {
            case .fromStart:
                state.claims = said
                state.taken = TakenAnswer()
                state.partDigests = []
                state.mirrors?.took(isContinued: false)
            case .append:
                var claims = plan.point?.claims ?? RepresentationClaims()
                claims.add(said)
                state.claims = claims
                state.taken = TakenAnswer(facts, length: claims.length)
                state.mirrors?.took(isContinued: true)
            case .alreadyWhole: state.claims = plan.point?.claims
            default: return nil
            }
            return state.claims
        }
        for digest in claims?.digests ?? [] { writer.intake.want(digest.algorithm) }
        if claims != nil, let own = claim.download.spec.expectedDigest {
            writer.intake.want(own.algorithm)
        }
    }

    /// Whether a further stream's answer is of the version whose bytes are here; then what it says
    /// counts with the rest.
    func agrees(_ facts: ResponseFacts) -> Bool {
        let said = RepresentationClaims(facts, now: tools.clock.now)
        return state.withLock { state in
            guard state.claims?.contradiction(to: said) == nil else { return false }
            state.claims?.add(said)
            return true
        }
    }

    /// Takes note of what a complete answer says of its own bytes, trailers included.
    ///
    /// - Parameters:
    ///   - result: the end of the transfer.
    ///   - range: the bytes that it brought; nil for the whole.
    func noteDigests(_ result: TransferResult, range: Range<Int64>?) {
        guard case .completed = result.outcome, let head = result.head else { return }
        let facts = ResponseFacts(head, trailers: result.trailers)
        let (whole, message) = (facts.wholeDigests, facts.messageDigests)
        guard !whole.isEmpty || !message.isEmpty else { return }
        state.withLock { state in
            state.claims?.add(digests: whole)
            guard let range, state.partDigests.count < Attempt.partDigestsAtMost else { return }
            state.partDigests += message.map { PartDigest(range, $0) }
        }
        for digest in whole { writer.intake.want(digest.algorithm) }
    }

    /// The failure of a file whose parts are not what the answers that brought them say, or nil.
    func mismatchInParts(length: Int64) async throws(ContentError) -> DownloadFailure? {
        let parts = state.withLock { $0.partDigests }
            .filter { !$0.range.isEmpty && $0.range.upperBound <= length }
        guard !parts.isEmpty, let part = try await writer.mismatch(in: parts) else { return nil }
        return originMismatch(
            "the origin says \(part.digest.text) of bytes \(part.range.lowerBound) to "
                + "\(part.range.upperBound - 1), the file has others")
    }

    /// Content that is not what its origin says: fetched again, but not for ever.
    func originMismatch(_ detail: String) -> DownloadFailure {
        let count = state.withLock { state in
            state.mismatches += 1
            return state.mismatches
        }
        let isOver = count > Attempt.mismatchesAtMost
        return DownloadFailure(
            isOver ? .permanent : .network, code: .digestMismatch, detail: detail,
            isRetryable: !isOver)
    }
}

extension TakenAnswer {
    /// The part that a 206 announces.
    ///
    /// - Parameters:
    ///   - facts: its head.
    ///   - length: of the whole, where anybody said it.
    init(_ facts: ResponseFacts, length: Int64?) {
        guard let bytes = facts.contentRange?.bytes else {
            preconditionFailure("a part is taken by its Content-Range")
        }
        range = bytes.lowerBound..<(bytes.upperBound + 1)
        reachesEnd = bytes.upperBound + 1 == length
    }
}
