/// The progress of a download of a world.
struct Job: Sendable {
    let download: WorldDownload
    /// The bytes that are here and count.
    var done = 0.0
    /// The minute of its first begin.
    var began: Int?
    /// The minute after its end.
    var ended: Int?
    var isRunning = false
    /// Whether an attempt has begun and not ended; it may be stopped.
    var isAttempting = false
    /// The sum over hours of the price in EUR times the gigabytes that came.
    var cost = 0.0
    /// The bytes that came at peak hours.
    var peakBytes = 0.0
    /// The minute from which it may begin; a failed attempt delays it.
    var runAt: Int
    var attempts = 0
    /// The factor on the rate of the attempt under way.
    var factor = 1.0
    /// The bytes at which the attempt under way breaks off.
    var breaksAt: Double?
    /// Bytes and minutes of the attempt under way, and the bytes that were missing at its begin.
    var attempt = (bytes: 0.0, minutes: 0.0, left: 0.0)
    /// The last rate in bytes a minute.
    var rate = 0.0

    init(_ download: WorldDownload) {
        self.download = download
        runAt = download.created
    }

    /// The size, as far as it is known: the first answer tells it.
    var knownSize: Double? { attempts > 0 ? download.bytes : download.expected }

    /// The bytes that are missing.
    var rest: Double { download.bytes - done }
}
