// How long the file of a finished download is kept, and when its client is warned.

/// A finished file that is kept for a time.
package struct KeptContent: Equatable, Sendable {
    /// The data directory that it lies in.
    package var instance: Identifier
    /// In bytes.
    package var length: Int64
    /// When it expires.
    package var expiresAt: Timestamp
    /// When the client is warned.
    package var warnAt: Timestamp

    /// A file that was finished at an instant and is kept for some seconds from then on.
    package init(instance: Identifier, length: Int64, at now: Timestamp, retention: Int64) {
        self.instance = instance
        self.length = length
        expiresAt = now + .seconds(retention)
        warnAt = expiresAt - min(.seconds(86_400), .seconds(retention) / 10)
    }

    /// For how long at least a file is kept from its last reading on.
    ///
    /// - Parameter retention: the download's, in seconds; a short one is not made longer.
    /// - Returns: an hour, or the retention.
    package static func lease(retention: Int64?) -> Duration {
        min(.seconds(3600), .seconds(retention ?? 3600))
    }
}
