// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `LookOutcome` of the API.
public struct LookOutcome: OpenWord {
    /// The word as the API writes it; it may be one that this version does not know.
    public let rawValue: String

    /// Makes any word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// `changed`.
    public static let changed = LookOutcome(rawValue: "changed")

    /// `unchanged_304`.
    public static let unchanged304 = LookOutcome(rawValue: "unchanged_304")

    /// `unchanged_digest`.
    public static let unchangedDigest = LookOutcome(rawValue: "unchanged_digest")

    /// `failed`.
    public static let failed = LookOutcome(rawValue: "failed")

    /// `skipped`.
    public static let skipped = LookOutcome(rawValue: "skipped")

    /// `canceled`.
    public static let canceled = LookOutcome(rawValue: "canceled")
}
