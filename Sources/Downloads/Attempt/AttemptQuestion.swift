package import Base

/// One question to the origin.
package struct AttemptQuestion: Equatable, Sendable {
    /// The first byte that is asked for; nil for everything.
    package var start: Int64?
    /// The validator sent as `If-Range`; nil to send `Range` alone.
    package var ifRange: FieldValue?

    /// The value of `If-None-Match`; nil to send none.
    package var ifNoneMatch: String?
    /// The value of `If-Modified-Since`; nil to send none.
    package var ifModifiedSince: String?

    /// Creates the question for a plan; only the whole is asked for under a condition.
    init(_ plan: ResumePlan, _ condition: ChangeCondition? = nil) {
        guard case .from(let point) = plan else {
            (ifNoneMatch, ifModifiedSince) = (condition?.etag, condition?.lastModified)
            return
        }
        start = point.offset
        ifRange = point.usesPlainRange ? nil : point.ifRange
    }
}
