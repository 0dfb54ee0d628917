// How the C library keeps memory; Swift's objects come from there too.
internal import CPlatform

/// The allocator of the process; see mallopt(3).
package enum Memory {
    /// Makes memory that is free again the system's soon; call it first of all.
    ///
    /// By itself glibc raises the size from which a block is mapped alone to that of the largest
    /// one that was ever given back, and has eight heaps for each processor: what a burst left in
    /// them stays. Measured with a thousand slow downloads: 92 to 110 MiB, so 67 to 80.
    package static func settle() {
        for (parameter, value) in [
            (M_MMAP_THRESHOLD, mappedBytes), (M_TRIM_THRESHOLD, 1 << 20), (M_ARENA_MAX, 2),
        ] {
            let isSet = mallopt(parameter, value)
            precondition(isSet == 1, "glibc knows the parameter")
        }
    }

    /// Blocks of this size are mapped alone; a transfer's receive buffer of 128 KiB is not, because
    /// each transfer would map it, touch fresh pages and give them back.
    private static let mappedBytes: Int32 = 192 * 1024
}
