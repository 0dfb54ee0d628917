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
            point.ifRange != nil || hasDigest || point.whole != nil
        else {
            self = .whole
            return
        }
        self = .from(point)
    }

    /// What is gone on with; nil for everything.
    package var point: ResumePoint? { if case .from(let point) = self { point } else { nil } }
}
