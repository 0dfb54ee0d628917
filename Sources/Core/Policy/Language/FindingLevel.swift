/// How much a finding about a policy document matters.
package enum FindingLevel: String, Sendable, CaseIterable {
    /// The document is refused.
    case error
    /// The document is taken, and probably does not do what was meant.
    case warning
    /// The document is taken, and this part of it changes nothing.
    case noEffect = "no_effect"
}
