/// The result of an attempt's preparations.
package enum AttemptStart: Sendable {
    /// The request is there.
    case ready(isRepeatable: Bool)
    /// The address is no URL that can be asked.
    case badAddress(DownloadFailure)
    /// The request's secrets cannot be read; the bytes stay under their old name.
    case unreadable(DownloadFailure)
}
