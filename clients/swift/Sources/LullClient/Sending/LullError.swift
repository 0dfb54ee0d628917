/// Why a call failed.
public enum LullError: Error, Hashable, Sendable {
    /// The service refused, and says what to change.
    ///
    /// - Parameter retryAfter: seconds to wait before the next try, if it told them.
    case problem(Problem, retryAfter: Int?)
    /// An answer that the API does not have, such as that of a proxy in between.
    case unexpectedAnswer(status: Int)
    /// The service was not reached, or the connection broke.
    case unreachable(String)
    /// The deadline of the call is over; a change may have been made.
    case timedOut
    /// The task that waited was canceled; a change may have been made.
    case canceled
    /// An answer that is not the JSON of the API.
    case unreadable(String)
    /// A value that JSON cannot have, such as an infinite number.
    case unwritable(String)
    /// Content with another digest than the service told.
    case digestMismatch(expected: String, found: String)
    /// A file of this machine could not be read or written.
    case file(String)

    /// The problem, if the service refused.
    public var problem: Problem? {
        guard case .problem(let problem, _) = self else { return nil }
        return problem
    }
}
