// The rights that an API key can have.

/// A right of a key; the raw value is its name in the store and on the command line.
package enum KeyScope: String, Sendable, CaseIterable {
    /// Create, change and end downloads, and put sessions.
    case writeDownloads = "downloads:write"
    /// Read downloads, sessions and the policy.
    case readDownloads = "downloads:read"
    /// Read the bytes of finished downloads.
    case readContent = "content:read"
    /// Create, change and end uploads, bring their bytes, and have finished files sent to
    /// receivers: downloads and sessions whose `destination` has a URL.
    case writeUploads = "uploads:write"
    /// Read uploads.
    case readUploads = "uploads:read"
    /// Register endpoints for webhooks, and read and send deliveries and their secrets.
    case webhooks
    /// Replace the policy, push conditions, and make, change and revoke keys of every app.
    case admin

    /// The scopes of a key for which none were given.
    package static let standard: Set<KeyScope> = [
        .writeDownloads, .readDownloads, .readContent, .writeUploads, .readUploads,
    ]

    /// Every right.
    static let all = Set(allCases)
}
