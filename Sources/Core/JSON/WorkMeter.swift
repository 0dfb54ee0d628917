// What reading a document costs, counted for tests.

/// Counts steps of reading: bytes looked at, keys compared, findings made.
///
/// Only debug builds count, and only where a test has set a meter: a release build has none of it.
package enum WorkMeter {
    #if DEBUG
        /// Takes the steps of the task in which it is set.
        @TaskLocal package static var current: (@Sendable (Int) -> Void)?
    #endif

    /// Counts some steps.
    @inline(__always) package static func add(_ steps: Int) {
        #if DEBUG
            current?(steps)
        #endif
    }
}
