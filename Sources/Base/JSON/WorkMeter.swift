// Counts the cost of reading a document, for tests.

/// Counts steps of reading: bytes looked at, keys compared, errors created.
///
/// Only debug builds count, and only where a test has set a meter; release builds have no counters.
package enum WorkMeter {
    #if DEBUG
        /// The counter of the current task.
        @TaskLocal package static var current: (@Sendable (Int) -> Void)?
    #endif

    /// Counts some steps.
    @inline(__always) package static func add(_ steps: Int) {
        #if DEBUG
            current?(steps)
        #endif
    }
}
