internal import Downloads

/// Which looks follow for the instants of a source that passed while no replica worked.
package enum CatchUpRule: String, Sendable, CaseIterable, MemberValue {
    /// One look, for the last instant.
    case latest
    /// A look for each instant that is younger than `catch_up_window`, one after another.
    case all
    /// No look.
    case none
}
