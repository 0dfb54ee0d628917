/// The range that an attempt requests.
package enum ResumePlan: Equatable, Sendable {
    /// The whole content.
    case whole
    /// The bytes from the point on.
    case from(ResumePoint)

    /// Decides from the kept resume point.
    ///
    /// - Parameters:
    ///   - point: what the store kept, or nil.
    ///   - instance: the data directory of this process; another's part files are out of reach.
    ///   - hasDigest: whether the client gave a digest, which proves the whole at the end.
    package init(_ point: ResumePoint?, instance: String, hasDigest: Bool) {
        guard let point, point.instance == instance, point.void == nil,
            point.offset > 0 || point.whole != nil,
            point.ifRange != nil || hasDigest || point.whole != nil
        else {
            self = .whole
            return
        }
        self = .from(point)
    }

    /// The point that is continued; nil for the whole content.
    package var point: ResumePoint? { if case .from(let point) = self { point } else { nil } }
}
