// Every bound of the engine in one place.

/// What the engine never exceeds.
enum TransferLimits {
    /// Transfers with a handle at the same time; more wait in a queue.
    static let runningMax = 1024
    /// Kept connections.
    static let connectionsMax = 512
    /// Header bytes of one hop, interim answers included.
    static let headBytesMax = 65_536
    /// Digits of the size of a chunk, leading zeros included.
    static let chunkDigitsMax = 64
    /// Bytes between the size of a chunk and the end of its line.
    static let chunkExtensionBytesMax = 4096
    /// Body bytes of a redirect that are read to keep its connection.
    static let redirectBodyBytesMax = 65_536
    /// The longest told time that a redirect is waited for; a longer one is the caller's matter.
    static let redirectWaitMax = Duration.seconds(60)
    /// Redirects of one run that are waited for; they do not count among the followed ones.
    static let waitedRedirectsMax = 1000
    /// Framing bytes of a chunked body beside those that its content allows.
    static let framingBytesFree: Int64 = 1 << 20
    /// Framing bytes of a chunked body for each byte of content.
    static let framingBytesPerByte: Int64 = 16
    /// Origins that are remembered for a 421.
    static let misdirectedMax = 1024
    /// Addresses of a name that are tried.
    static let addressesMax = 16
    /// Look-ups at the same time.
    static let lookupLanesMax = 8
    /// Names that wait for a look-up.
    static let lookupQueueMax = 1024
    /// Names in the cache of look-ups.
    static let lookupCacheMax = 4096
    /// How long addresses are remembered, in nanoseconds.
    static let lookupTTL: Int64 = 10_000_000_000
    /// How long a failed look-up is remembered, in nanoseconds.
    static let lookupFailureTTL: Int64 = 1_000_000_000
    /// How long the addresses of this machine are remembered, in nanoseconds.
    static let interfacesTTL: Int64 = 30_000_000_000
    /// The number of transfers in their bodies from which the loop waits after a quiet turn.
    static let crowd = 128
    /// A turn with fewer bytes for each transfer is quiet.
    static let quietBytes: Int64 = 1024
    /// How long the loop waits after a quiet turn, in nanoseconds.
    static let lingering: Int64 = 10_000_000
    /// Sleeps of 1 ms at the end of a turn while received bytes wait to be processed.
    static let waitsAtMost = 100
    /// The longest sleep of the loop, in milliseconds.
    static let sleepMax: Int32 = 60_000
}
