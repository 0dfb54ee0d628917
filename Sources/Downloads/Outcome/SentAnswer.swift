// The answer of the receiver to which a file was sent.
package import Base

/// The `sent` member of a download: the answer to the last try that had one.
package struct SentAnswer: MemberList {
    /// The status.
    package var status: Int
    /// The values of a few fields by their names in lower case, secrets masked.
    package var headers = JSONObject()
    /// The beginning of the body, secrets masked; nil for an empty one.
    package var body: AttemptDetail.Excerpt?

    /// The blank value that reading fills in.
    package static let blank = SentAnswer(status: 0)

    /// The fields that are kept.
    package static let fields = ["content-type", "etag", "last-modified", "location"]

    /// Creates an answer without fields and body.
    package init(status: Int) { self.status = status }

    /// The members.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("status", &status)
        members.visit("headers", &headers, usually: JSONObject())
        members.visit("body", &body)
    }
}
