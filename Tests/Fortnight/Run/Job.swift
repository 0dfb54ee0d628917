/// How far a download of a world is.
struct Job: Sendable {
    let download: WorldDownload
    /// Bytes that are here and count.
    var done = 0.0
    /// The minute of its first begin.
    var began: Int?
    /// The minute behind its end.
    var ended: Int?
    var isRunning = false
    /// Whether an attempt is under way, also while it is stopped.
    var isAttempting = false
    /// EUR of an hour's price times the gigabytes that came in it.
    var cost = 0.0
    /// Bytes that came at peak hours.
    var peakBytes = 0.0
    /// The minute from which it may begin; a failed attempt puts it off.
    var runAt: Int
    var attempts = 0
    /// The rate's factor of the attempt under way.
    var factor = 1.0
    /// The bytes at which the attempt under way breaks.
    var breaksAt: Double?
    /// Bytes and minutes of the attempt under way, and what was left at its begin.
    var attempt = (bytes: 0.0, minutes: 0.0, left: 0.0)
    /// Bytes a minute that it had last.
    var rate = 0.0

    init(_ download: WorldDownload) {
        self.download = download
        runAt = download.created
    }

    /// The size, as far as it is known: the first answer says it.
    var knownSize: Double? { attempts > 0 ? download.bytes : download.expected }

    /// What is left of it.
    var rest: Double { download.bytes - done }
}
