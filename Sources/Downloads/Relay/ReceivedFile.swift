// The whole file of a download that is to be sent on.
internal import Base

/// The facts about a received file that its way to the receiver needs.
package struct ReceivedFile: MemberList {
    /// How far the file has come on its way.
    package enum Progress: String, Sendable, CaseIterable, MemberValue {
        /// No request was sent, or one that may be repeated.
        case waiting
        /// A request that must not be sent twice may have reached the receiver.
        case begun
        /// The receiver has taken the file, which has only to be published.
        case accepted
    }

    /// The head of the origin's answer; nil for none.
    package var response: OriginResponse?
    /// The URL of the origin's last answer, after redirects.
    package var currentURL: String?
    /// How far it has come.
    package var progress = Progress.waiting
    /// The receiver's answer, once it has taken the file.
    package var answer: SentAnswer?
    /// Facts of the file when its digest was computed; nil where they were not noted.
    package var mark: FileMark?
    /// The upload at a receiver that speaks tus; nil for none.
    package var tus: TusUpload?

    /// The blank value that reading fills in.
    package static let blank = ReceivedFile()

    /// Creates a file that waits.
    package init() {}

    /// The members.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("response", &response)
        members.visit("current_url", &currentURL)
        members.visit("progress", &progress, usually: .waiting)
        members.visit("answer", &answer)
        members.visit("mark", &mark, .storedOnly)
        members.visit("tus", &tus, .storedOnly)
    }
}
