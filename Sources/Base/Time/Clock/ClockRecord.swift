// A row by which processes tell later ones about the database's clock.

/// A reading of the database's clock that outlives its process.
package struct ClockRecord: Sendable, Equatable {
    /// The database's clock when it was seen last.
    package var seenAt: Timestamp
    /// The boot identifier of the machine that read it, from its kernel.
    package var boot: String
    /// The boot clock of that machine at the reading.
    package var bootTime: Duration
    /// The database's clock after its last jump; nil if none is known.
    package var jumpedAt: Timestamp?

    /// Sets all members.
    package init(seenAt: Timestamp, boot: String, bootTime: Duration, jumpedAt: Timestamp?) {
        self.seenAt = seenAt
        self.boot = boot
        self.bootTime = bootTime
        self.jumpedAt = jumpedAt
    }
}
