/// The kind of a session: how long traces of its downloads are kept.
package enum SessionKind: String, Sendable, CaseIterable {
    /// Traces are kept as the retention of history and content says.
    case background
    /// Queries of URLs are not kept, and content is kept until its first complete reading, for ten
    /// minutes at most.
    case ephemeral

    /// The most seconds for which content of an ephemeral session is kept.
    package static let ephemeralRetention: Int64 = 600
}
