/// The severity of a finding about a policy document.
package enum FindingLevel: String, Sendable, CaseIterable {
    /// The document is refused.
    case error
    /// The document is accepted, and probably does not do what its author meant.
    case warning
    /// The document is accepted, and this part of it has no effect.
    case noEffect = "no_effect"
}
