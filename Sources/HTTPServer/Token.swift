// The name of a connection, safe to keep after the connection is gone.

/// A place in the table of connections and which tenant of that place is meant.
struct Token: Sendable, Hashable {
    var slot: Int
    var generation: UInt32

    init(slot: Int, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }

    /// Reads what `rawValue` wrote.
    init(rawValue: UInt64) {
        slot = Int(rawValue & 0xffff_ffff)
        generation = UInt32(truncatingIfNeeded: rawValue >> 32)
    }

    /// As carried by the epoll set.
    var rawValue: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
}
