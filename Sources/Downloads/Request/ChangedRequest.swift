/// The request of a download after a change.
package struct ChangedRequest: Equatable, Sendable {
    /// The request.
    package let members: RequestMembers
    /// The members whose secrets were dropped, because they were given for another origin.
    package let dropped: [String]
}
