// An answer that may be taken by the protocol, seen with the client's demands.

extension ContentRules {
    /// Tightens what ``ResumeRules`` decided.
    ///
    /// - Parameters:
    ///   - decision: what the protocol allows.
    ///   - plan: what was asked.
    ///   - earlier: what was here when the attempt began.
    ///   - facts: the answer.
    ///   - hasDigest: whether the client gave a digest, which proves the length too.
    /// - Returns: the decision, or a rejection.
    package func judge(
        _ decision: BodyDecision, _ plan: ResumePlan, earlier: ResumePoint?, _ facts: ResponseFacts,
        hasDigest: Bool
    ) -> BodyDecision {
        if let reason = change(decision, plan, earlier, facts), let failure = refusal(of: reason) {
            return .reject(failure)
        }
        let total: Int64?
        switch decision {
        case .fromStart: total = facts.contentLength
        case .append(let offset):
            total =
                facts.contentRange.flatMap(ContentRange.init)?.total
                ?? facts.contentLength.map { offset + $0 }
        default: return decision
        }
        if let most = maximumBytes, let total, total > most {
            return .reject(.tooLong(total, most: most))
        }
        let isProved = facts.isChunked || total != nil || hasDigest
        if requiresVerifiedLength ?? false, !isProved,
            RepresentationDigest.named(in: facts) == nil
        {
            return .reject(.lengthUnverified)
        }
        return decision
    }

    /// Why the source is another one than that of the bytes that were here, or nil.
    private func change(
        _ decision: BodyDecision, _ plan: ResumePlan, _ earlier: ResumePoint?,
        _ facts: ResponseFacts
    ) -> String? {
        switch decision {
        case .fromStart(let reason?) where reason.isSourceChange: return reason.text
        case .refuseThenWhole(let reason) where reason.isSourceChange: return reason.text
        case .fromStart(nil):
            // The second question, after a part that could not be used.
            guard plan == .whole, let earlier, earlier.offset > 0, earlier.void == nil else {
                return nil
            }
            return ResumeRules.difference(earlier, facts)
        default: return nil
        }
    }

    private func refusal(of reason: String) -> DownloadFailure? {
        switch onSourceChange ?? .restart {
        case .restart: nil
        case .ask: .sourceChanged(reason, isAsked: true)
        case .fail: .sourceChanged(reason, isAsked: false)
        }
    }
}

extension DownloadFailure {
    /// The content is longer than the client's `max_bytes`.
    ///
    /// - Parameters:
    ///   - total: how long, where the origin said it.
    ///   - most: the bound.
    /// - Returns: a failure that the client can mend.
    package static func tooLong(_ total: Int64?, most: Int64) -> DownloadFailure {
        let length = total.map { "\($0) bytes long" } ?? "longer"
        return DownloadFailure(
            .attention, code: .dataLengthExceedsMaximum,
            detail: "the content is \(length), max_bytes is \(most): raise it and resume",
            isRetryable: true)
    }

    /// Nothing proves where the body ends, and the client demands that something does.
    package static let lengthUnverified = DownloadFailure(
        .server, code: .lengthUnverified,
        detail: "the origin says neither how long the content is nor what its digest is",
        isRetryable: false)

    /// The source is not the one whose bytes are here.
    ///
    /// - Parameters:
    ///   - reason: how it shows.
    ///   - isAsked: whether the client decides, else it is over.
    /// - Returns: the failure, of the class that follows.
    package static func sourceChanged(_ reason: String, isAsked: Bool) -> DownloadFailure {
        isAsked
            ? DownloadFailure(
                .attention, code: .sourceChanged,
                detail: "\(reason): resume begins anew, another url may go on", isRetryable: true)
            : DownloadFailure(
                .server, code: .sourceChanged, detail: reason, isRetryable: false)
    }
}
