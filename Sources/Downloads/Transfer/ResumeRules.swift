// Decides whether bytes of an answer may follow those in the file. The table of the resume rules.

/// The rules for writing an answer's bytes into a file (RFC 9110 sections 13.1.5, 14 and 15.3.7).
///
/// Whether an answer is of the kept bytes' version is decided by `RepresentationClaims`.
package enum ResumeRules {
    /// The least number of kept bytes that is worth a second question; with fewer a fresh start is
    /// cheaper.
    package static let worthAsking: Int64 = 8 << 20

    /// Judges the head of an answer against the request.
    ///
    /// - Parameters:
    ///   - plan: what was asked.
    ///   - facts: the answer.
    ///   - method: how; a 202 means "not yet" to a GET alone.
    ///   - hasDigest: whether the client gave a digest, which proves the whole at the end.
    /// - Returns: what to do with its body.
    package static func judge(
        _ plan: ResumePlan, _ facts: ResponseFacts, method: RequestMethod = .get,
        hasDigest: Bool = false
    ) -> BodyDecision {
        switch facts.status {
        case 200, 203:
            if let reason = facts.ambiguity { return .ambiguous(reason) }
            return plan.point.map { judgeWhole($0, facts) } ?? .fromStart(discarding: nil)
        case 206:
            if let reason = facts.ambiguity { return .ambiguous(reason) }
            guard let point = plan.point else {
                return .ambiguous("206 to a request without Range")
            }
            return judgePart(point, facts, isProved: hasDigest || point.claims.provesContent)
        case 416:
            guard let point = plan.point else { return .notContent }
            return judgeEnd(point, facts, isProved: hasDigest || point.claims.provesContent)
        default:
            // A final failure may be caused by the Range, so the request is repeated without it.
            let failure = AttemptVerdict.failure(status: facts.status, method: method)
            let isFinal = failure.failureClass == .server && failure.code == .httpStatus
            return plan != .whole && isFinal ? broken(by: facts.status) : .notContent
        }
    }

    private static func broken(by status: Int) -> BodyDecision {
        .refuseThenWhole(.unusable("the origin answered \(status) to a request with Range"))
    }

    private static func judgeWhole(_ point: ResumePoint, _ facts: ResponseFacts) -> BodyDecision {
        let said = RepresentationClaims(facts)
        let validators = point.claims.validators
        let isSameETag = point.etag != nil && facts.strongETag == point.etag
        let isSameDate = point.etag == nil && facts.lastModified == validators.strongDate
        guard isSameETag || isSameDate || point.ifRange == nil else {
            return .fromStart(
                discarding: .changed("the origin sent the whole file in answer to If-Range"))
        }
        if let reason = point.claims.contradiction(to: said) {
            return .fromStart(discarding: .changed(reason))
        }
        if isSameETag, point.offset >= worthAsking, !point.usesPlainRange {
            return .refuseThenPlainRange
        }
        // Without If-Range the origin would have sent a part of a changed source, too.
        return .fromStart(discarding: .unusable("the origin ignored Range"))
    }

    /// Judges a 416: perhaps all bytes are here.
    private static func judgeEnd(
        _ point: ResumePoint, _ facts: ResponseFacts, isProved: Bool
    ) -> BodyDecision {
        let range = facts.contentRange
        if let total = range?.total, range?.bytes == nil, total == point.offset,
            point.total == nil || point.total == total
        {
            if let reason = point.claims.contradiction(to: RepresentationClaims(facts)) {
                return .refuseThenWhole(.changed(reason))
            }
            // After a request without If-Range, or with a date that not every origin checks, an
            // equal length may be that of another file.
            let isSame =
                point.etag != nil
                ? !point.usesPlainRange || facts.strongETag == point.etag
                : isProved || facts.lastModified != nil
            if isSame { return .alreadyWhole }
        }
        let words = "the origin has no bytes from \(point.offset) on"
        let isShorter = range?.total.map { $0 < point.offset } ?? false
        return .refuseThenWhole(isShorter ? .changed(words) : .unusable(words))
    }

    private static func judgePart(
        _ point: ResumePoint, _ facts: ResponseFacts, isProved: Bool
    ) -> BodyDecision {
        if let type = facts.contentType, type.lowercased().hasPrefix("multipart/byteranges") {
            return .refuseThenWhole(.unusable("multipart/byteranges in answer to a single range"))
        }
        guard let range = facts.contentRange, let bytes = range.bytes else {
            return .refuseThenWhole(.unusable("206 without a usable Content-Range"))
        }
        guard bytes.lowerBound <= point.offset else {
            return .refuseThenWhole(
                .unusable("the origin's range begins after the requested one"))
        }
        guard bytes.upperBound >= point.offset else {
            return .refuseThenWhole(.unusable("the origin's range ends before the requested one"))
        }
        if facts.coding != nil, point.claims.coding == nil {
            return .refuseThenWhole(.unusable("a range of a representation with Content-Encoding"))
        }
        if let reason = point.claims.contradiction(to: RepresentationClaims(facts)) {
            return .refuseThenWhole(.changed(reason))
        }
        if point.claims.coding != facts.coding {
            return .refuseThenWhole(.changed("another Content-Encoding"))
        }
        if let total = point.total ?? range.total, bytes.upperBound >= total {
            return .refuseThenWhole(.changed("the range reaches beyond the end of the file"))
        }
        // A part repeats the ETag of the whole (RFC 9110 section 15.3.7); an origin that leaves it
        // out may not have checked If-Range either. Neither may one that leaves out a date that it
        // sent before.
        let validators = point.claims.validators
        if validators.strongETag != nil || point.usesPlainRange, facts.strongETag == nil {
            return .refuseThenWhole(
                .unusable("206 without the ETag that the first bytes had"))
        }
        if validators.strongETag == nil, validators.strongDate != nil, facts.lastModified == nil,
            !isProved
        {
            return .refuseThenWhole(
                .unusable("206 without the Last-Modified that the first bytes had"))
        }
        if let length = facts.contentLength, length != bytes.upperBound - bytes.lowerBound + 1 {
            return .ambiguous("Content-Length and Content-Range disagree")
        }
        return .append(at: bytes.lowerBound)
    }
}
