// Every bound of the engine in one place.

/// The bounds of an engine.
enum TransferLimits {
    /// Transfers with a handle at the same time; more wait in a queue.
    static let runningMax = 1024
    /// The most kept connections.
    static let connectionsMax = 512
    /// The most header bytes of one hop, interim answers included.
    static let headBytesMax = 65_536
    /// The most digits of the size of a chunk, leading zeros included.
    static let chunkDigitsMax = 64
    /// The most bytes between the size of a chunk and the end of its line.
    static let chunkExtensionBytesMax = 4096
    /// The most body bytes of a redirect that are read to keep its connection.
    static let redirectBodyBytesMax = 65_536
    /// The longest body of a source that is sent without the receiver's consent.
    static let unaskedBodyBytesMax: Int64 = 1 << 20
    /// The wait for the receiver's consent, after which the body is sent without it, in
    /// milliseconds.
    static let consentMilliseconds = 1000
    /// The most bytes of a source that are read at once.
    static let sourceBytesMax: Int64 = 131_072
    /// The bytes of a source that wait in the kernel for their first sending, at most.
    static let unsentBytesMax: Int32 = 262_144
    /// The most bytes of an answer that are read after sending has failed.
    static let restBytesMax = 262_144
    /// The longest told time that a redirect is waited for; a longer one is left to the caller.
    static let redirectWaitMax = Duration.seconds(60)
    /// The most redirects of one run that are waited for; they do not count among the followed
    /// ones.
    static let waitedRedirectsMax = 1000
    /// Framing bytes of a chunked body that are allowed in any case.
    static let framingBytesFree: Int64 = 1 << 20
    /// Further framing bytes of a chunked body for each byte of content.
    static let framingBytesPerByte: Int64 = 16
    /// The most origins that are remembered after a 421.
    static let misdirectedMax = 1024
    /// The most addresses of a name that are tried.
    static let addressesMax = 16
    /// The most concurrent look-ups.
    static let lookupLanesMax = 8
    /// The most names that wait for a look-up.
    static let lookupQueueMax = 1024
    /// The most names in the cache of look-ups.
    static let lookupCacheMax = 4096
    /// The time for which addresses are remembered, in nanoseconds.
    static let lookupTTL: Int64 = 10_000_000_000
    /// The time for which a failed look-up is remembered, in nanoseconds.
    static let lookupFailureTTL: Int64 = 1_000_000_000
    /// The time for which the addresses of this machine are remembered, in nanoseconds.
    static let interfacesTTL: Int64 = 30_000_000_000
    /// The number of transfers receiving bodies from which on the loop waits after a turn with few
    /// bytes.
    static let crowd = 128
    /// The bytes for each transfer below which a turn has few bytes.
    static let quietBytes: Int64 = 1024
    /// The time for which the loop waits after a turn with few bytes, in nanoseconds.
    static let lingering: Int64 = 10_000_000
    /// The most sleeps of 1 ms at the end of a turn while received bytes wait to be processed.
    static let waitsAtMost = 100
    /// The longest sleep of the loop, in milliseconds.
    static let sleepMax: Int32 = 60_000
}
