// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `pending`: it waits for a try or is being sent.
///
/// `exhausted`: it was tried as often as it may be, or cannot be sent. `abandoned`: its endpoint is
/// disabled or deleted, or its URL rests.
public struct DeliveryState: OpenWord {
    /// The word as the API writes it; it may be one that this version does not know.
    public let rawValue: String

    /// Makes any word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// `pending`.
    public static let pending = DeliveryState(rawValue: "pending")

    /// `succeeded`.
    public static let succeeded = DeliveryState(rawValue: "succeeded")

    /// `exhausted`.
    public static let exhausted = DeliveryState(rawValue: "exhausted")

    /// `abandoned`.
    public static let abandoned = DeliveryState(rawValue: "abandoned")
}
