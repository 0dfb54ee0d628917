package import Base

/// The deadlines of a candidate.
package struct CandidateDeadline: Equatable, Sendable {
    /// The latest begin; nil for any time.
    package var begin: Timestamp?
    /// The latest completion; nil for any time.
    package var complete: Timestamp?
    /// The time at which the download's time limit ends it; nil if that is far away.
    package var timeout: Timestamp?

    /// Creates a value with all its members.
    package init(
        begin: Timestamp? = nil, complete: Timestamp? = nil, timeout: Timestamp? = nil
    ) {
        self.begin = begin
        self.complete = complete
        self.timeout = timeout
    }
}
