internal import Core

/// What came of making or changing an endpoint.
package enum EndpointOutcome: Sendable {
    /// As it is now.
    case done(EndpointRecord)
    /// There is none of that name.
    case notFound
    /// The caller's condition does not hold for it.
    case refused(EndpointRecord)
    /// It changed since the caller read it.
    case stale
    /// The app has as many as it may.
    case tooMany
}
