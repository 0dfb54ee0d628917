// The row by which processes tell each other of the database's clock.

/// A reading of the database's clock that outlives the process that made it.
package struct ClockRecord: Sendable, Equatable {
    /// The database's clock when it was seen last.
    package var seenAt: Timestamp
    /// The start of the machine that saw it, by the name that its kernel gave it.
    package var boot: String
    /// That machine's boot clock then.
    package var bootTime: Duration
    /// The database's clock behind its last jump; nil if none is known.
    package var jumpedAt: Timestamp?

    /// Sets all members.
    package init(seenAt: Timestamp, boot: String, bootTime: Duration, jumpedAt: Timestamp?) {
        self.seenAt = seenAt
        self.boot = boot
        self.bootTime = bootTime
        self.jumpedAt = jumpedAt
    }
}
