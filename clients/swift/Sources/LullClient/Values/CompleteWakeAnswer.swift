// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `CompleteWakeAnswer` of the API.
public struct CompleteWakeAnswer: Codable, Hashable, Sendable {
    /// Names a wake; whoever has it may complete the wake.
    public var wakeToken: String
    /// `state` of the API.
    public var state: String

    /// Makes one of its members; those that are left out are nil.
    public init(
        wakeToken: String,
        state: String
    ) {
        self.wakeToken = wakeToken
        self.state = state
    }

    private enum CodingKeys: String, CodingKey {
        case wakeToken = "wake_token"
        case state
    }
}
