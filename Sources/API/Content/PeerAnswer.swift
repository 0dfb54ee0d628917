package import HTTPWire
internal import Store

/// The answer of another replica about a file.
package enum PeerAnswer: Sendable {
    /// It has the file; the requested bytes, each proved before it is written.
    case body(BodyStream)
    /// It has proved that it does not have the file, or has one of another length.
    case missing
    /// It has proved that the file was edited in the folder where it was placed.
    case changed
    /// An answer without proof; the text is for the log.
    case unproven(String)
    /// No answer that helps; the text is for the log.
    case unavailable(String)
}
