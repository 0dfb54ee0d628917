// What became of the bytes of earlier attempts, for the attempt's record.

/// Bytes continued and discarded by one attempt.
package struct ResumeTally: Equatable, Sendable {
    /// Where the attempt went on; 0 for the start.
    package internal(set) var resumedFrom: Int64 = 0
    /// Bytes that were thrown away.
    package internal(set) var discarded: Int64 = 0
    /// Why the last of them were.
    package internal(set) var reason: String?
    /// Whether it restarted.
    package internal(set) var isRestarted = false
    /// How often that happened to the download in all.
    package internal(set) var restarts: Int64 = 0

    /// Nothing was here.
    package init() {}
}
