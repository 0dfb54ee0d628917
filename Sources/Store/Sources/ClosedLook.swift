package import Base
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
    /// The number of items of a feed that it queued; nil for a file.
    package let items: Int64?
    /// The place of the fault in a feed that could not be read.
    package let detail: String?
    /// Its download, if that needs attention and is to be canceled.
    package let left: Identifier?
}
