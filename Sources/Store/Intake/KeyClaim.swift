/// Whether a request with a key has to be done.
package enum KeyClaim: Sendable, Equatable {
    /// The key was taken for this request, now or just before.
    case mine
    /// It was done, with this answer.
    case answered(StoredAnswer)
    /// An equal request is in progress.
    case inProgress
    /// The key belongs to another request.
    case reused
    /// The external id of a download is taken by another one, so nothing was done.
    case named
}
