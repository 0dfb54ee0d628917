// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `succeeded`, `failed` and `canceled` are final;
///
/// `suspended`, `waiting`, `running`, `canceling` and `attention_required` are not. Only an upload
/// is `receiving`: its client still brings the bytes.
public struct DownloadState: OpenWord {
    /// The word as the API writes it; it may be one that this version does not know.
    public let rawValue: String

    /// Makes any word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// `suspended`.
    public static let suspended = DownloadState(rawValue: "suspended")

    /// `waiting`.
    public static let waiting = DownloadState(rawValue: "waiting")

    /// `receiving`.
    public static let receiving = DownloadState(rawValue: "receiving")

    /// `running`.
    public static let running = DownloadState(rawValue: "running")

    /// `canceling`.
    public static let canceling = DownloadState(rawValue: "canceling")

    /// `attention_required`.
    public static let attentionRequired = DownloadState(rawValue: "attention_required")

    /// `succeeded`.
    public static let succeeded = DownloadState(rawValue: "succeeded")

    /// `failed`.
    public static let failed = DownloadState(rawValue: "failed")

    /// `canceled`.
    public static let canceled = DownloadState(rawValue: "canceled")
}
