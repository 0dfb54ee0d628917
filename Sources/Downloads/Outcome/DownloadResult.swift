// The result of a download: the column `result` of its row, and members of its resource.
package import Base

/// The result of all attempts of a download.
///
/// All members are stored. `response`, `content`, `error`, `resume` and `current_url` are shown as
/// members of the resource under these names, `null` when absent; `mirror_url` is shown through
/// `Download.address`.
package struct DownloadResult: MemberList {
    /// The head of the answer that brought the content.
    package var response: OriginResponse?
    /// The file, once it is whole.
    package var content: DownloadContent?
    /// The reason why the last attempt failed.
    package var error: DownloadFailure?
    /// The fate of the bytes of earlier attempts; nil if there were none.
    package var resume: ResumeSummary?
    /// The URL of the last answer, after redirects.
    package var currentURL: String?
    /// The address used last, of several, because the queue row that knows it is removed at the
    /// end.
    package var mirrorURL: String?
    /// The download whose transfer brought the content, if it is another one.
    package var joinedTo: Identifier?

    /// The proof that the content is the known one.
    ///
    /// In a download that waits for another attempt it means that the file of the known content
    /// could not be shared, so that the content is fetched in any case.
    package var unchanged: UnchangedProof?
    /// The answer of the receiver to which the file was sent; nil for none.
    package var sent: SentAnswer?

    /// Bytes that were sent to the receiver or store by the end: all of the file, or none.
    package var bytesSent: Int64 {
        guard let content, sent != nil || content.location == .store else { return 0 }
        return content.length
    }

    /// Creates an empty result.
    package init() {}

    /// The blank value that reading fills in.
    package static let blank = DownloadResult()

    /// The members as they are stored.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("response", &response)
        members.visit("content", &content)
        members.visit("error", &error)
        members.visit("resume", &resume)
        members.visit("current_url", &currentURL)
        members.visit("mirror_url", &mirrorURL)
        members.visit("joined_to", &joinedTo)
        members.visit("sent", &sent)
        members.visit("unchanged", &unchanged)
    }
}
