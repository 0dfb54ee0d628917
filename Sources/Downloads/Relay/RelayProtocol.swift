// The protocols by which a finished file is sent to its receiver.
internal import Base

/// The protocol that a receiver speaks.
package enum RelayProtocol: String, Sendable, CaseIterable, MemberValue {
    /// One request with the whole file.
    case http
    /// tus 1.0: an upload is created at the URL of the receiver, and goes on at its offset.
    case tus
}
