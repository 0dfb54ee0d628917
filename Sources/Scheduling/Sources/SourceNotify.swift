/// Whom a source tells of a new version and of a failed look, besides the receivers of its events.
package enum SourceNotify: String, Sendable, CaseIterable {
    /// The client of its session, by a wake.
    case wake
}
