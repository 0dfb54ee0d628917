// The failures of uploads alone.

/// The failures that no download has.
package enum UploadRules {
    /// The failure of an upload whose file, or the part of it that had come, is lost.
    package static let lostFile = DownloadFailure(
        .contentLost,
        detail: "the file that the client brought is lost: resume, then bring it again, or cancel")

    /// The failure of an upload whose client did not bring all bytes in time.
    package static let expired = DownloadFailure(
        .contentExpired,
        detail: "the client did not bring the whole file within content_retention; retry makes it "
            + "receive again")
}
