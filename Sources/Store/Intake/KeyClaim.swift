internal import Core

/// Whether a request with a key is to be done.
package enum KeyClaim: Sendable, Equatable {
    /// It is, or was just now, by us.
    case mine
    /// It was done; this was the answer.
    case answered(StoredAnswer)
    /// The same request is in progress.
    case inProgress
    /// The key belongs to another request.
    case reused
    /// The external id of a download belongs to another one, so nothing was done.
    case named
}
