package import Base

/// One question to the origin.
package struct AttemptQuestion: Equatable, Sendable {
    /// The first byte that is asked for; nil for everything.
    package var start: Int64?
    /// The validator sent as `If-Range`; nil to send `Range` alone.
    package var ifRange: FieldValue?

    /// Creates the question for a plan.
    init(_ plan: ResumePlan) {
        guard case .from(let point) = plan else { return }
        start = point.offset
        ifRange = point.usesPlainRange ? nil : point.ifRange
    }
}
