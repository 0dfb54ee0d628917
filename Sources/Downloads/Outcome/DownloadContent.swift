// The file of a finished download, as its row and its resource describe it.
package import Base

/// Facts about the file of a finished download.
///
/// The members of `visit` are stored and shown. `href` is shown before them and not stored, because
/// it follows from the download's identifier.
package struct DownloadContent: MemberList {
    /// The length in bytes.
    package var length: Int64
    /// SHA-256, 64 hexadecimal digits.
    package var sha256: String
    /// Whether something besides the end of the connection proves the length.
    package var isLengthVerified: Bool
    /// Whether its length is the one that the client expected; nil where the client expected none.
    package var isExpectedLength: Bool?
    /// The end of its retention.
    package var expiresAt: Timestamp?
    /// The end of its retention as it was when the download ended, if it has changed: the event of
    /// the end shows this one.
    package var firstExpiresAt: Timestamp?
    /// The kind of place in which it is kept.
    package var location = ContentLocation.replica
    /// The entity tag of the object, for content in a store.
    package var objectTag: String?
    /// Its place in a folder or store of the operator's, if the download has such a destination.
    package var destination: PlacedFile?
    /// Facts of a placed file when its bytes were last proved; nil for other files.
    package var file: FileFacts?
    /// Facts of a placed file when other bytes were found in it.
    package var changed: FileFacts?
    /// The download whose file this is, because the content has not changed since.
    package var unchangedFrom: Identifier?
    /// Whether the content is still available.
    package var state = ContentState.held

    /// Creates a file that is held.
    package init(
        length: Int64, sha256: String, isLengthVerified: Bool, expected: Int64? = nil,
        expiresAt: Timestamp? = nil
    ) {
        self.length = length
        self.sha256 = sha256
        self.isLengthVerified = isLengthVerified
        isExpectedLength = expected.map { $0 == length }
        self.expiresAt = expiresAt
    }

    /// The facts that a placed file has to have, as replicas send them to each other; nil for a
    /// file that is not placed.
    package var expectedFile: String? {
        destination == nil || location == .store ? nil : file?.text ?? FileFacts.blank.text
    }

    /// Whether its bytes were lost although nobody released them, so that they may be fetched
    /// again.
    package var isGone: Bool { state == .lost || state == .held && changed != nil }

    /// The blank value that reading fills in.
    package static let blank = DownloadContent(length: 0, sha256: "", isLengthVerified: false)

    /// The members.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("length", &length)
        var digest = StoredDigest(sha256)
        members.visit("sha256", &digest)
        sha256 = digest.hexadecimal
        members.visit("length_verified", &isLengthVerified)
        members.visit("expected_length_matched", &isExpectedLength)
        members.visit("expires_at", &expiresAt)
        members.visit("first_expires_at", &firstExpiresAt, .storedOnly)
        members.visit("location", &location, usually: .replica)
        members.visit("object_tag", &objectTag, .storedOnly)
        members.visit("destination", &destination)
        members.visit("file", &file, .storedOnly)
        members.visit("changed", &changed, .storedOnly)
        members.visit("unchanged_from", &unchangedFrom, .storedOnly)
        members.visit("state", &state, usually: .held)
    }

    /// Writes the object that clients see.
    ///
    /// - Parameters:
    ///   - id: the download's.
    ///   - writer: takes the object.
    func write(of id: Identifier, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("href")
        writer.write("/v1/downloads/\(id.text)/content")
        var shown = self
        if state == .held, let first = firstExpiresAt, let end = expiresAt, end > first {
            shown.state = .leased
        }
        if state == .held, changed != nil { shown.state = .changed }
        shown.writeMembers(to: &writer, as: .shown)
        if let unchangedFrom { writer.member("unchanged_from", unchangedFrom.text) }
        writer.endObject()
    }
}
