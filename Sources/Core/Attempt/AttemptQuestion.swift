/// One question to the origin.
package struct AttemptQuestion: Equatable, Sendable {
    /// The first byte that is asked for; nil for everything.
    package var start: Int64?
    /// The validator beside it; nil to send `Range` alone.
    package var ifRange: FieldValue?

    /// The question that a plan leads to.
    init(_ plan: ResumePlan) {
        guard case .from(let point) = plan else { return }
        start = point.offset
        ifRange = point.usesPlainRange ? nil : point.ifRange
    }
}
