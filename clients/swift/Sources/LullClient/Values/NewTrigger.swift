// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `NewTrigger` of the API.
public struct NewTrigger: Codable, Hashable, Sendable {
    /// How calls are signed; without it `none`.
    public var signature: TriggerSignature?

    /// Makes one of its members; those that are left out are nil.
    public init(
        signature: TriggerSignature? = nil
    ) {
        self.signature = signature
    }

    private enum CodingKeys: String, CodingKey {
        case signature
    }
}
