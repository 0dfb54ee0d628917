/// A call of a trigger whose signature was checked.
package struct TriggerCall: Sendable {
    /// The body as text, for the event of the look; nil for none.
    package var body: String?
    /// The name that its sender gave the message, in a digest; nil for a call without a name.
    package var message: String?
    /// The time at which its sender signed it, in Unix seconds; 0 for a call without a name.
    package var signedAt: Int64 = 0

    /// Creates a call with a body and without a name.
    package init(body: String?) { self.body = body }
}
