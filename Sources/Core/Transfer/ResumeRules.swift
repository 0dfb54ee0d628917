// May these bytes be put behind those? The table of the resume rules.

/// What an attempt asks for.
package enum ResumePlan: Equatable, Sendable {
    /// Everything.
    case whole
    /// From the point on.
    case from(ResumePoint)

    /// Decides from what was kept.
    ///
    /// - Parameters:
    ///   - point: what the store kept, or nil.
    ///   - instance: the data directory of this process; another's part files are out of reach.
    ///   - hasDigest: whether the client gave a digest, which proves the whole at the end.
    package init(_ point: ResumePoint?, instance: String, hasDigest: Bool) {
        guard let point, point.instance == instance, point.offset > 0, point.void == nil,
            point.ifRange != nil || hasDigest
        else {
            self = .whole
            return
        }
        self = .from(point)
    }
}

/// Why bytes that are here are no longer of use.
package struct DiscardReason: Equatable, Sendable {
    /// A few words for the attempt's record.
    package let text: String
    /// Whether the source is another one now; else only the way on is barred.
    package let isSourceChange: Bool

    /// The source is another one now.
    package static func changed(_ how: String) -> DiscardReason {
        DiscardReason(text: "the source changed: \(how)", isSourceChange: true)
    }

    /// The answer cannot be put behind what is here.
    package static func unusable(_ text: String) -> DiscardReason {
        DiscardReason(text: text, isSourceChange: false)
    }
}

/// What to do with the body of an answer.
package enum BodyDecision: Equatable, Sendable {
    /// Write it from the beginning of the file; bytes kept so far are void, for the reason given.
    case fromStart(discarding: DiscardReason?)
    /// Write it at the offset.
    case append(at: Int64)
    /// There is nothing to fetch: the bytes kept are the whole.
    case alreadyWhole
    /// Leave the body; ask once more for everything.
    case refuseThenWhole(DiscardReason)
    /// Leave the body; ask once more with Range and no If-Range.
    case refuseThenPlainRange
    /// Leave the body; ask once more with the date in If-Range, because this ETag, and only it, is
    /// another one.
    case refuseThenDate(otherETag: String)
    /// Leave the body; the client's demands are not met.
    case reject(DownloadFailure)
    /// The answer is no content: its status decides.
    case notContent
    /// The framing is not to be trusted; the attempt failed.
    case ambiguous(String)
}

/// The rules for putting an answer's bytes into a file (RFC 9110 sections 13.1.5, 14 and 15.3.7).
package enum ResumeRules {
    /// Below this many kept bytes a fresh start is cheaper than a second question.
    package static let worthAsking: Int64 = 8 << 20

    /// Judges an answer's head against what was asked.
    package static func judge(_ plan: ResumePlan, _ facts: ResponseFacts) -> BodyDecision {
        switch facts.status {
        case 200:
            if let reason = facts.ambiguity { return .ambiguous(reason) }
            return judgeWhole(plan, facts)
        case 206:
            if let reason = facts.ambiguity { return .ambiguous(reason) }
            guard case .from(let point) = plan else {
                return .ambiguous("206 to a request without Range")
            }
            return judgePart(point, facts)
        case 416:
            guard case .from(let point) = plan else { return .notContent }
            let range = facts.contentRange.flatMap(ContentRange.init)
            if let total = range?.total, range?.bytes == nil, total == point.offset,
                point.total == nil || point.total == total
            {
                if let reason = difference(point, facts) {
                    return .refuseThenWhole(.changed(reason))
                }
                // Asked without If-Range, an end at the same place may be another file's.
                guard point.usesPlainRange, facts.strongETag != point.etag else {
                    return .alreadyWhole
                }
            }
            let words = "the origin has no bytes from \(point.offset) on"
            let isShorter = range?.total.map { $0 < point.offset } ?? false
            return .refuseThenWhole(isShorter ? .changed(words) : .unusable(words))
        case 204, 205:
            return .ambiguous("\(facts.status) has no content to download")
        default:
            return .notContent
        }
    }

    private static func judgeWhole(_ plan: ResumePlan, _ facts: ResponseFacts) -> BodyDecision {
        guard case .from(let point) = plan else { return .fromStart(discarding: nil) }
        let isSameETag = point.etag != nil && facts.strongETag == point.etag
        if isSameETag, point.offset >= worthAsking, !point.usesPlainRange {
            return .refuseThenPlainRange
        }
        let hasSameDate = facts.lastModified == point.lastModified
        if let date = point.lastModified, date == facts.lastModified, !isSameETag,
            point.etag != nil, let other = facts.strongETag, point.total != nil,
            point.total == facts.contentLength, point.offset >= worthAsking,
            point.otherETag == nil
        {
            return .refuseThenDate(otherETag: other)
        }
        // Without If-Range a changed source would not have kept the origin from sending a part.
        let isSameDate = point.etag == nil && hasSameDate
        return .fromStart(
            discarding: isSameETag || isSameDate || point.ifRange == nil
                ? .unusable("the origin ignored Range") : .changed("the origin sent the whole"))
    }

    /// How the answer's validators tell that the bytes kept are another version's, or nil.
    static func difference(_ point: ResumePoint, _ facts: ResponseFacts) -> String? {
        if let other = point.otherETag {
            // Twice the same other ETag is another version; a third one means nothing.
            if facts.strongETag == other { return "another ETag" }
            if facts.lastModified != point.lastModified { return "another Last-Modified" }
        } else if let etag = point.etag {
            let isOther = facts.etag != nil && facts.strongETag != etag
            return isOther ? "another ETag" : nil
        }
        guard let date = point.lastModified, let said = facts.lastModified, said != date else {
            return nil
        }
        return "another Last-Modified"
    }

    private static func judgePart(_ point: ResumePoint, _ facts: ResponseFacts) -> BodyDecision {
        if let type = facts.contentType, type.lowercased().hasPrefix("multipart/byteranges") {
            return .refuseThenWhole(.unusable("multipart/byteranges to a single range"))
        }
        guard let range = facts.contentRange.flatMap(ContentRange.init), let bytes = range.bytes
        else { return .refuseThenWhole(.unusable("206 without a usable Content-Range")) }
        guard bytes.lowerBound <= point.offset else {
            return .refuseThenWhole(
                .unusable("the origin's range begins behind what was asked"))
        }
        if let total = point.total, let said = range.total, total != said {
            return .refuseThenWhole(.changed("\(said) bytes instead of \(total)"))
        }
        if let total = range.total ?? point.total, bytes.upperBound != total - 1 {
            return .refuseThenWhole(
                .unusable("the origin's range ends before the source does"))
        }
        if let reason = difference(point, facts) { return .refuseThenWhole(.changed(reason)) }
        // A part repeats the ETag of the whole (RFC 9110 section 15.3.7); who leaves it out may
        // not have looked at If-Range either.
        if point.etag != nil || point.usesPlainRange, facts.strongETag == nil {
            return .refuseThenWhole(
                .unusable("206 without the ETag that the first bytes had"))
        }
        if let length = facts.contentLength, length != bytes.upperBound - bytes.lowerBound + 1 {
            return .ambiguous("Content-Length and Content-Range disagree")
        }
        if let coding = facts.contentEncoding, coding.lowercased() != "identity" {
            return .refuseThenWhole(.unusable("a range of an encoded representation"))
        }
        return .append(at: bytes.lowerBound)
    }
}
