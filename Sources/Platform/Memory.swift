// Settings of the C library's allocator, which Swift's objects use too.
internal import CPlatform

/// The allocator of the process; see mallopt(3).
package enum Memory {
    /// Makes the allocator return free memory to the system soon; call it before anything else.
    ///
    /// By default glibc raises the size from which a block is mapped alone to that of the largest
    /// block that was ever freed, and has eight heaps for each processor, so memory of a burst
    /// stays in them. Measured with a thousand slow downloads: 92 to 110 MiB by default, 67 to 80
    /// MiB with these settings.
    package static func settle() {
        for (parameter, value) in [
            (M_MMAP_THRESHOLD, mappedBytes), (M_TRIM_THRESHOLD, 1 << 20), (M_ARENA_MAX, 2),
        ] {
            let isSet = mallopt(parameter, value)
            precondition(isSet == 1, "glibc knows the parameter")
        }
    }

    /// The size from which blocks are mapped alone; larger than a transfer's receive buffer of 128
    /// KiB, because mapping each buffer would touch fresh pages and free them for every transfer.
    private static let mappedBytes: Int32 = 192 * 1024
}
