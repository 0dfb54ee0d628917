/// What comes of the preparations.
package enum AttemptStart: Sendable {
    /// The request is there.
    case ready(isRepeatable: Bool)
    /// The address is no URL that can be asked.
    case badAddress(DownloadFailure)
    /// What the request is sent with cannot be read; the bytes stay under their old name.
    case unreadable(DownloadFailure)
}
