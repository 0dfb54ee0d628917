/// By when a download is wanted.
package struct CandidateDeadline: Equatable, Sendable {
    /// When it has to begin; nil for any time.
    package var begin: Timestamp?
    /// When it has to be complete; nil for any time.
    package var complete: Timestamp?
    /// When its time limit ends it; nil where that is far away.
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
