// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `active`;
///
/// `suspended`: nothing runs; `invalidating`: it takes no downloads, and is over when those that it
/// has have ended; `invalidated`.
public struct SessionState: OpenWord {
    /// The word as the API writes it; it may be one that this version does not know.
    public let rawValue: String

    /// Makes any word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// `active`.
    public static let active = SessionState(rawValue: "active")

    /// `suspended`.
    public static let suspended = SessionState(rawValue: "suspended")

    /// `invalidating`.
    public static let invalidating = SessionState(rawValue: "invalidating")

    /// `invalidated`.
    public static let invalidated = SessionState(rawValue: "invalidated")
}
