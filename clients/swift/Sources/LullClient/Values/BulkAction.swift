// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// What is done to each.
public struct BulkAction: OpenWord {
    /// The word as the API writes it; it may be one that this version does not know.
    public let rawValue: String

    /// Makes any word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// `suspend`.
    public static let suspend = BulkAction(rawValue: "suspend")

    /// `resume`.
    public static let resume = BulkAction(rawValue: "resume")

    /// `cancel`.
    public static let cancel = BulkAction(rawValue: "cancel")

    /// `retry`.
    public static let retry = BulkAction(rawValue: "retry")

    /// `delete`.
    public static let delete = BulkAction(rawValue: "delete")
}
