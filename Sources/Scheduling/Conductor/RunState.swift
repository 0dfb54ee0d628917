package import Base

/// The progress of a run, for the conductor.
package struct RunState: Equatable, Sendable {
    /// The download.
    package var id: Identifier
    /// Its attempt's fence.
    package var fence: Int64
    /// Bytes that the run has transferred.
    package var bytes: Int64
    /// The time until which its download has time; nil if the run may not be stopped for other
    /// work.
    ///
    /// After that instant the download is late.
    package var slackUntil: Timestamp?

    /// Creates a value with all its members.
    package init(id: Identifier, fence: Int64, bytes: Int64, slackUntil: Timestamp? = nil) {
        self.id = id
        self.fence = fence
        self.bytes = bytes
        self.slackUntil = slackUntil
    }

    /// Seconds: a run that ends within this time is not stopped for other work.
    private static let soon: Int64 = 300

    /// Whether a transfer ends soon: at most its last tenth is missing, and takes five minutes at
    /// most.
    ///
    /// - Parameters:
    ///   - received: the bytes that are here.
    ///   - total: all of its bytes; nil if unknown.
    ///   - speed: bytes a second that it has at present; nil if unknown.
    /// - Returns: whether it is; a tenth counts as short where its speed is not known.
    package static func endsSoon(received: Int64, of total: Int64?, speed: Int64?) -> Bool {
        guard let total, received >= total / 10 * 9 else { return false }
        guard let speed else { return true }
        return (total - received) / soon <= speed
    }
}
