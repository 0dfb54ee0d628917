// The facts about an object in the head of an answer.
internal import Base
internal import Transfers

extension ObjectFacts {
    /// The field with the download's identifier.
    static let downloadField = "x-amz-meta-lull-download"
    /// The field with the SHA-256 of the whole object.
    static let digestField = "x-amz-meta-lull-sha256"

    /// The facts in the head of an answer.
    init(_ head: ResponseHead) {
        self.init(tag: head.etag?.text)
        length = head["content-length"].flatMap { Int64($0) }
        download = head[ObjectFacts.downloadField]
        sha256 = head[ObjectFacts.digestField]
    }
}
