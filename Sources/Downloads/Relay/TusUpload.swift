// An upload that an attempt has created at a receiver that speaks tus.
internal import Base

/// The upload of a file, as its row names it from before the first byte on.
package struct TusUpload: MemberList {
    /// The URL of the upload: the `Location` of the answer that created it.
    package var location: String
    /// The URL at which it was created.
    package var creation: String
    /// SHA-256 of the file, 64 hexadecimal digits.
    package var sha256: String
    /// The most bytes that the receiver ever said to have, of this upload or an earlier one.
    package var confirmed: Int64 = 0

    /// The blank value that reading fills in.
    package static let blank = TusUpload(location: "", creation: "", sha256: "")

    /// Creates an upload of which the receiver has no bytes yet.
    package init(location: String, creation: String, sha256: String) {
        self.location = location
        self.creation = creation
        self.sha256 = sha256
    }

    /// The members.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("location", &location)
        members.visit("creation", &creation)
        members.visit("sha256", &sha256)
        members.visit("confirmed", &confirmed, usually: 0)
    }
}
