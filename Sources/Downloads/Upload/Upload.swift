// What an upload is beyond a download: its bytes come from its client.
internal import Base

/// The members of an upload that no download has.
///
/// An upload is kept as a download is: in the same tables, under an identifier of its own version.
/// Its client brings the bytes in place of an origin, and then its file is sent as the finished
/// file of a download is.
package struct Upload: Equatable, MemberList {
    /// The length of the file in bytes; exact.
    package var length: Int64
    /// The download whose content is sent, in hexadecimal digits; nil where the client brings the
    /// bytes.
    package var source: String?

    /// The blank value that reading fills in.
    package static let blank = Upload(length: 0)

    /// Creates the members of an upload whose client brings the bytes.
    package init(length: Int64) { self.length = length }

    /// The members.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("length", &length)
        members.visit("source", &source)
    }
}
