/// The result of creating or changing an endpoint.
package enum EndpointOutcome: Sendable {
    /// It was done; the record is the present one.
    case done(EndpointRecord)
    /// There is no endpoint with this identifier.
    case notFound
    /// The caller's condition does not hold for it.
    case refused(EndpointRecord)
    /// It changed since the caller read it.
    case stale
    /// The app has reached its limit of endpoints.
    case tooMany
    /// The app has reached its limit of endpoints that get mail.
    case tooManyMails
}
