// The bytes of earlier attempts that were continued and discarded, for the attempt's record.

/// Bytes continued and discarded by one attempt.
package struct ResumeTally: Equatable, Sendable {
    /// The place in the file where the attempt went on; 0 for the start.
    package internal(set) var resumedFrom: Int64 = 0
    /// Bytes that were thrown away.
    package internal(set) var discarded: Int64 = 0
    /// The reason why bytes were discarded the last time.
    package internal(set) var reason: String?
    /// Whether the attempt restarted from the beginning.
    package internal(set) var isRestarted = false
    /// The number of times that the download was restarted in all its attempts.
    package internal(set) var restarts: Int64 = 0

    /// A tally without bytes.
    package init() {}
}
