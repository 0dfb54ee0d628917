/// A rule: every requirement has to hold for the downloads that it matches.
package struct PolicyRule: Equatable, Sendable {
    /// The effect of a closing rule on running downloads.
    package enum AtClose: String, Sendable {
        /// They run to their end.
        case finish
        /// They stop at a durable point, if they can be resumed.
        case stop
    }

    /// Its name, as shown in blockers.
    package var name: String
    /// The downloads that it applies to.
    package var match: Match
    /// The requirements.
    package var requirements: [Requirement]
    /// The hours that it prefers.
    package var preference: Preference?
    /// Whether it is waived as a download's deadline comes near.
    package var isSoft: Bool
    /// The effect on running downloads when the rule closes.
    package var atClose: AtClose
}
