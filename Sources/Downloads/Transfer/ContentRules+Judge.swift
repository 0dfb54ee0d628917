// Judges an answer that the protocol allows by the client's demands.

extension ContentRules {
    /// Restricts a decision of ``ResumeRules`` by the client's demands.
    ///
    /// - Parameters:
    ///   - decision: what the protocol allows.
    ///   - plan: what was asked.
    ///   - earlier: what is here and was not asked for: an earlier answer barred the way on.
    ///   - facts: the answer.
    ///   - hasDigest: whether the client gave a digest, which proves the length too.
    ///   - expectedLength: the bytes that the client expects.
    /// - Returns: the decision, or a rejection.
    package func judge(
        _ decision: BodyDecision, _ plan: ResumePlan, earlier: ResumePoint?, _ facts: ResponseFacts,
        hasDigest: Bool, expectedLength: Int64? = nil
    ) -> BodyDecision {
        if let failure = refusal(ofType: facts, decision) { return .reject(failure) }
        if let reason = change(decision, plan, earlier, facts), let failure = refusal(of: reason) {
            return .reject(failure)
        }
        let total: Int64?
        var isProved = hasDigest || facts.isChunked
        switch decision {
        case .fromStart:
            total = facts.contentLength
            isProved = isProved || total != nil
        case .append(let offset):
            // Further requests follow until a part, or a 416, has shown the end.
            isProved = true
            total = facts.contentRange?.total ?? plan.point?.total
            let least = facts.contentLength.map { offset + $0 } ?? 0
            if let most = maximumBytes, least > most { return .reject(.tooLong(least, most: most)) }
        default: return decision
        }
        if let total, let failure = refusal(ofLength: total, expectedLength) {
            return .reject(failure)
        }
        if requiresVerifiedLength ?? false, !isProved, facts.wholeDigests.isEmpty {
            return .reject(.lengthUnverified)
        }
        return decision
    }

    /// The failure for content of this length; nil if it is acceptable.
    ///
    /// - Parameters:
    ///   - total: the bytes of the whole, announced or counted.
    ///   - expected: the bytes that the client expects.
    /// - Returns: the failure that follows.
    package func refusal(ofLength total: Int64, _ expected: Int64?) -> DownloadFailure? {
        if let most = maximumBytes, total > most { return .tooLong(total, most: most) }
        if total > ContentRules.lengthLimit { return .overLimit(total) }
        if let least = minimumBytes, total < least { return .tooShort(total, least: least) }
        guard requiresExpectedLength ?? false, let expected, total != expected else { return nil }
        return .otherThanExpected(total, expected: expected)
    }

    /// The failure for content of this type; nil if it is acceptable.
    ///
    /// - Parameter type: `Content-Type` as sent; nil where it was not.
    /// - Returns: the failure that follows.
    package func refusal(ofType type: String?) -> DownloadFailure? {
        guard let acceptedTypes, !MediaRange.includes(type, in: acceptedTypes) else { return nil }
        return .typeNotAccepted(MediaRange.essence(of: type), accepted: acceptedTypes)
    }

    /// The failure for an answer with content; a part need not repeat the type of the whole.
    private func refusal(
        ofType facts: ResponseFacts, _ decision: BodyDecision
    ) -> DownloadFailure? {
        switch decision {
        case .fromStart: refusal(ofType: facts.contentType)
        case .append: facts.contentType == nil ? nil : refusal(ofType: facts.contentType)
        default: nil
        }
    }

    /// The reason why the source differs from that of the bytes that were here; nil if it does not.
    private func change(
        _ decision: BodyDecision, _ plan: ResumePlan, _ earlier: ResumePoint?,
        _ facts: ResponseFacts
    ) -> String? {
        switch decision {
        case .fromStart(let reason?) where reason.isSourceChange: return reason.text
        case .refuseThenWhole(let reason) where reason.isSourceChange: return reason.text
        case .fromStart(nil):
            // This is the second question, after a part that could not be used.
            guard plan == .whole, let earlier, earlier.offset > 0, earlier.void == nil else {
                return nil
            }
            return earlier.claims.contradiction(to: RepresentationClaims(facts))
                .map { DiscardReason.changed($0).text }
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
    ///   - total: the length, where the origin gave it.
    ///   - most: the bound.
    /// - Returns: a failure that the client can mend.
    package static func tooLong(_ total: Int64?, most: Int64) -> DownloadFailure {
        let length = total.map { "\($0) bytes long" } ?? "longer"
        return DownloadFailure(
            .attention, code: .dataLengthExceedsMaximum,
            detail: "the content is \(length), but max_bytes is \(most): PATCH a larger max_bytes, "
                + "then resume",
            isRetryable: true)
    }

    /// The content is shorter than the client's `min_bytes`.
    ///
    /// - Parameters:
    ///   - total: the length, announced or counted.
    ///   - least: the bound.
    /// - Returns: a failure of the origin's content.
    package static func tooShort(_ total: Int64, least: Int64) -> DownloadFailure {
        DownloadFailure(
            .server, code: .contentTooShort,
            detail: "the content is \(total) bytes long, but min_bytes is \(least)",
            isRetryable: false)
    }

    /// The content has a type that the client does not accept.
    ///
    /// - Parameters:
    ///   - type: the type.
    ///   - accepted: the types that the client accepts.
    /// - Returns: a failure of the origin's content.
    package static func typeNotAccepted(_ type: String, accepted: [String]) -> DownloadFailure {
        DownloadFailure(
            .server, code: .contentTypeNotAccepted,
            detail: "the content has the type \(type), but accept_content_types allows only "
                + accepted.joined(separator: ", "),
            isRetryable: false)
    }

    /// The content is longer than any that is fetched.
    ///
    /// - Parameter total: the length by the origin; nil for a number beyond 63 bits.
    /// - Returns: a failure that nothing mends.
    package static func overLimit(_ total: Int64?) -> DownloadFailure {
        DownloadFailure(
            .permanent, code: .dataLengthExceedsMaximum,
            detail: "the origin announces \(total.map { "\($0)" } ?? "too many") bytes, but the "
                + "limit is \(ContentRules.lengthLimit)",
            isRetryable: false)
    }

    /// The length of the content differs from the one that the client demands.
    ///
    /// - Parameters:
    ///   - total: how long it is; nil where more bytes came than were expected.
    ///   - expected: the client's number.
    /// - Returns: a failure of the origin's content.
    package static func otherThanExpected(_ total: Int64?, expected: Int64) -> DownloadFailure {
        let length = total.map { "\($0) bytes long" } ?? "longer"
        return DownloadFailure(
            .server, code: .expectedLengthMismatch,
            detail: "the content is \(length), but count_of_bytes_client_expects_to_receive is "
                + "\(expected), and require_expected_length is set",
            isRetryable: false)
    }

    /// There is no proof of where the body ends, and the client demands one.
    package static let lengthUnverified = DownloadFailure(
        .server, code: .lengthUnverified,
        detail: "the origin announced neither the length nor a digest of the content, and "
            + "require_verified_length is set: give expected_digest",
        isRetryable: false)

    /// The source differs from that of the kept bytes.
    ///
    /// - Parameters:
    ///   - reason: how it shows.
    ///   - isAsked: whether the client decides, else it is over.
    /// - Returns: the failure, of the class that follows.
    package static func sourceChanged(_ reason: String, isAsked: Bool) -> DownloadFailure {
        isAsked
            ? DownloadFailure(
                .attention, code: .sourceChanged,
                detail: "\(reason): resume fetches the new version from the start; or PATCH "
                    + "another url that has the old version", isRetryable: true)
            : DownloadFailure(
                .server, code: .sourceChanged, detail: reason, isRetryable: false)
    }
}
