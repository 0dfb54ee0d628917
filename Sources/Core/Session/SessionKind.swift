/// What the downloads of a session leave behind.
package enum SessionKind: String, Sendable, CaseIterable {
    /// Whatever the history and the retention of content keep.
    case background
    /// No query of a URL, and content until its first whole read, ten minutes at most.
    case ephemeral

    /// Seconds for which content of an ephemeral session is kept at most.
    package static let ephemeralRetention: Int64 = 600
}
