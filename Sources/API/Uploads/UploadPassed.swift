package import HTTPWire

/// The result of passing a request on to the replica that has the file of an upload.
package enum UploadPassed: Sendable {
    /// Its answer, proved.
    case answer(Response)
    /// The content of the request ended early, so that its client is gone.
    case broken(String)
    /// No answer, or one without proof; the text is for the log.
    case unavailable(String)
}
