package import Scheduling

/// A look that has ended.
package struct ClosedLook: Sendable {
    /// The source as it is now.
    package let source: SourceRecord
    /// The outcome.
    package let outcome: LookOutcome
    /// The reason of one that failed or was canceled.
    package let reason: String?
    /// Whether the source needs attention since then.
    package let needsAttention: Bool
}
