// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// How the client is woken.
public struct WakeStatus: Codable, Hashable, Sendable {
    /// How long after the last wake a download begins that is created in the background; doubles
    /// with each wake, 0 after `foreground` or when it has passed without wakes and without
    /// downloads that were created in the background.
    public var delaySeconds: Int
    /// When such a download would begin.
    public var delayedUntil: Date?
    /// `last_wake_at` of the API.
    public var lastWakeAt: Date?
    /// Whether a wake was sent that is neither completed nor given up.
    public var isOpen: Bool
    /// Whether no wakes are sent, after `force_quit` until `foreground`.
    public var isMuted: Bool
    /// `batch_recommended` when the delay was doubled twice or more: create all downloads of a wake
    /// at once.
    public var hint: Hint?

    /// Makes one of its members; those that are left out are nil.
    public init(
        delaySeconds: Int,
        isOpen: Bool,
        isMuted: Bool,
        delayedUntil: Date? = nil,
        lastWakeAt: Date? = nil,
        hint: Hint? = nil
    ) {
        self.delaySeconds = delaySeconds
        self.delayedUntil = delayedUntil
        self.lastWakeAt = lastWakeAt
        self.isOpen = isOpen
        self.isMuted = isMuted
        self.hint = hint
    }

    private enum CodingKeys: String, CodingKey {
        case delaySeconds = "delay_seconds"
        case delayedUntil = "delayed_until"
        case lastWakeAt = "last_wake_at"
        case isOpen = "is_open"
        case isMuted = "is_muted"
        case hint
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.delaySeconds, forKey: .delaySeconds)
        try members.encode(self.delayedUntil, forKey: .delayedUntil)
        try members.encode(self.lastWakeAt, forKey: .lastWakeAt)
        try members.encode(self.isOpen, forKey: .isOpen)
        try members.encode(self.isMuted, forKey: .isMuted)
        try members.encode(self.hint, forKey: .hint)
    }

    /// `batch_recommended` when the delay was doubled twice or more: create all downloads of a wake
    /// at once.
    public struct Hint: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `batch_recommended`.
        public static let batchRecommended = Hint(rawValue: "batch_recommended")
    }
}
