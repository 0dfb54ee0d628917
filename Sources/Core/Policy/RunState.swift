/// How far a run is, as the conductor looks at it.
package struct RunState: Equatable, Sendable {
    /// The download.
    package var id: Identifier
    /// Its attempt's fence.
    package var fence: Int64
    /// Bytes that the run has brought.
    package var bytes: Int64
    /// Until when its download has time, where the run may be stopped for more urgent work; nil
    /// where it may not.
    package var slackUntil: Timestamp?

    /// Names all of it.
    package init(id: Identifier, fence: Int64, bytes: Int64, slackUntil: Timestamp? = nil) {
        self.id = id
        self.fence = fence
        self.bytes = bytes
        self.slackUntil = slackUntil
    }
}
