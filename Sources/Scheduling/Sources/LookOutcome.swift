/// The outcome of a look; the raw value is its number in the store and never changes.
package enum LookOutcome: Int16, Sendable, CaseIterable {
    /// The content differs from that of the latest version.
    case changed = 1
    /// The origin answered 304.
    case unchanged304 = 2
    /// The content has the digest of the latest version.
    case unchangedDigest = 3
    /// The look ended without the content.
    case failed = 4
    /// The instant had no look.
    case skipped = 5
    /// The look was canceled.
    case canceled = 6

    /// The name on the wire.
    package var name: String {
        switch self {
        case .changed: "changed"
        case .unchanged304: "unchanged_304"
        case .unchangedDigest: "unchanged_digest"
        case .failed: "failed"
        case .skipped: "skipped"
        case .canceled: "canceled"
        }
    }

    /// Whether the origin was asked and answered.
    package var isSuccess: Bool {
        switch self {
        case .changed, .unchanged304, .unchangedDigest: true
        case .failed, .skipped, .canceled: false
        }
    }
}
