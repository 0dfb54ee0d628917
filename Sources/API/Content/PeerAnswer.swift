internal import Core
package import HTTPWire
internal import Store

/// What another replica answered about a file.
package enum PeerAnswer: Sendable {
    /// It has the file; the bytes that are wanted.
    case body(BodyStream)
    /// It does not have the file, or one of another length.
    case missing
    /// It gave no answer that helps; the text is for the log.
    case unavailable(String)
}
