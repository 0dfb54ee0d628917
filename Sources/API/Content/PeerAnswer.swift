internal import Core
package import HTTPWire
internal import Store

/// What another replica answered about a file.
package enum PeerAnswer: Sendable {
    /// It has the file; the bytes that are wanted, each proved before it is written.
    case body(BodyStream)
    /// It has proved that it does not have the file, or has one of another length.
    case missing
    /// It has proved that the file was edited in the folder where it was placed.
    case changed
    /// Something answered that is not proved, whatever it says; the text is for the log.
    case unproven(String)
    /// It gave no answer that helps; the text is for the log.
    case unavailable(String)
}
