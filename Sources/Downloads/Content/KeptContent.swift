// The times at which the file of a finished download expires, and its client is warned.
package import Base

/// A finished file that is kept for a time.
package struct KeptContent: Equatable, Sendable {
    /// The data directory that has the file.
    package var instance: Identifier
    /// The length in bytes.
    package var length: Int64
    /// The time at which it expires.
    package var expiresAt: Timestamp
    /// The time at which the client is warned.
    package var warnAt: Timestamp

    /// Creates the dates of a file that was finished at an instant and is kept for a number of
    /// seconds.
    package init(instance: Identifier, length: Int64, at now: Timestamp, retention: Int64) {
        self.instance = instance
        self.length = length
        expiresAt = now + .seconds(retention)
        warnAt = expiresAt - min(.seconds(86_400), .seconds(retention) / 10)
    }

    /// The least time for which a file is kept after its last reading.
    ///
    /// - Parameter retention: the download's, in seconds; a short one is not made longer.
    /// - Returns: an hour, or the retention.
    package static func lease(retention: Int64?) -> Duration {
        min(.seconds(3600), .seconds(retention ?? 3600))
    }
}
