/// The reason why a data directory does not take the bytes of an upload.
package enum UploadRefusal: Error, Sendable, Equatable {
    /// Too little space is free on its volume; answered with 507.
    case noSpace
    /// There is no such file: it was never made here, or is gone.
    case missing
    /// The disk or the file system failed; the text is for the log.
    case failed(String)
}
