package import Downloads

/// The reason why a store did not do what it was asked for.
package struct StoreFailure: Error, Sendable, Equatable {
    /// The kinds of failures, by what follows from them.
    package enum Kind: Sendable, Equatable {
        /// It may succeed later, such as after SlowDown or a lost connection; nothing was written.
        case again
        /// The answer was lost, or tells nothing: a write may have had its effect.
        case unknown
        /// 412: the condition of the write does not hold.
        case conflict
        /// The upload in parts is not there.
        case noUpload
        /// The object is not there.
        case missing
        /// The store refuses, and will refuse again until somebody changes something.
        case refused
        /// The bytes do not have the announced length or digest.
        case damaged
        /// The caller cancelled it.
        case cancelled
    }

    /// The kind.
    package var kind: Kind
    /// The store's own code, such as `AccessDenied`; nil without one.
    package var code: String?
    /// The HTTP status; nil without an answer.
    package var status: Int?
    /// The time to wait that the store asks for; nil for none.
    package var wait: Duration?
    /// Whether there was no route to the store, no name server, or no answer in time.
    package var isUnreachable = false
    /// The reason why no request reached the store; nil if one may have.
    package var obstacle: FailureCode?
    /// One sentence without secrets.
    package var detail: String

    /// Creates a failure without an answer.
    package init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }
}
