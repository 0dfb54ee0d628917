// What processes tell each other of the database's clock.

/// What is known of the database's clock beyond the life of a process.
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
