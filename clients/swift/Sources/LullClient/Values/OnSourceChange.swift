// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// What happens to received bytes when the origin has another version:
///
/// `restart` (the default) fetches it from the beginning, `ask` keeps them and sets
/// `attention_required`, code `source_changed` (`resume` starts over, another `url` may continue
/// them), `fail` ends the download.
public struct OnSourceChange: OpenWord {
    /// The word as the API writes it; it may be one that this version does not know.
    public let rawValue: String

    /// Makes any word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// `restart`.
    public static let restart = OnSourceChange(rawValue: "restart")

    /// `ask`.
    public static let ask = OnSourceChange(rawValue: "ask")

    /// `fail`.
    public static let fail = OnSourceChange(rawValue: "fail")
}
