/// One rule: for the downloads that match, every requirement has to hold.
package struct PolicyRule: Equatable, Sendable {
    /// What becomes of running downloads when a rule closes.
    package enum AtClose: String, Sendable {
        /// They run to their end.
        case finish
        /// They stop at a durable point, if they can be resumed.
        case stop
    }

    /// Its name, as in blockers.
    package var name: String
    /// Which downloads it is about.
    package var match: Match
    /// What has to hold.
    package var requirements: [Requirement]
    /// Which hours it prefers.
    package var preference: Preference?
    /// Whether it ceases to hold as a download's time passes.
    package var isSoft: Bool
    /// What becomes of running downloads when it closes.
    package var atClose: AtClose
}
