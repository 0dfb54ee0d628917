// What came of a download: the column `result` of its row, and members of its resource.

/// What came of the attempts of a download.
///
/// All of it is stored. `response`, `content`, `error`, `resume` and `current_url` are shown as
/// members of the resource under the same names, `null` when absent; `mirror_url` is shown as what
/// `Download.address` makes of it.
package struct DownloadResult: MemberList {
    /// The head of the answer that brought the content.
    package var response: OriginResponse?
    /// The file, once it is whole.
    package var content: DownloadContent?
    /// Why the last attempt failed.
    package var error: DownloadFailure?
    /// What became of the bytes of earlier attempts; nil when there were none.
    package var resume: ResumeSummary?
    /// The URL that answered at last, after redirects.
    package var currentURL: String?
    /// Which of several addresses was asked last, for when the row that knows it is gone.
    package var mirrorURL: String?
    /// The download whose transfer brought the content, where it is another one.
    package var joinedTo: Identifier?

    /// Nothing yet.
    package init() {}

    /// Nothing yet.
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
    }
}
