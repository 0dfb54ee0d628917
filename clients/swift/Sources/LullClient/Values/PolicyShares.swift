// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// Weights by which apps and sessions share the slots.
public struct PolicyShares: Codable, Hashable, Sendable {
    /// Weights of apps by name; * stands for every other app.
    public var app: [String: Double]?
    /// Weights of sessions; * stands for every other session.
    public var session: [String: Double]?
    /// The smallest part of the slots that discretionary downloads get if they may run.
    public var discretionaryFloor: Double?

    /// Makes one of its members; those that are left out are nil.
    public init(
        app: [String: Double]? = nil,
        session: [String: Double]? = nil,
        discretionaryFloor: Double? = nil
    ) {
        self.app = app
        self.session = session
        self.discretionaryFloor = discretionaryFloor
    }

    private enum CodingKeys: String, CodingKey {
        case app
        case session
        case discretionaryFloor = "discretionary_floor"
    }
}
