// The identity of a connection, which stays valid after the connection is closed.

/// A slot in the table of connections, and the generation of the connection in it.
struct ConnectionToken: Sendable, Hashable {
    var slot: Int
    var generation: UInt32

    init(slot: Int, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }

    /// Reads a token from the number that `rawValue` returned.
    init(rawValue: UInt64) {
        slot = Int(rawValue & 0xffff_ffff)
        generation = UInt32(truncatingIfNeeded: rawValue >> 32)
    }

    /// The number that stands for the token in the epoll set.
    var rawValue: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
}
