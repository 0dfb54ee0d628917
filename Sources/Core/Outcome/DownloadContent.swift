// The file of a finished download, as its row and its resource describe it.

/// What is known of the file of a finished download.
///
/// Stored and shown are the members of `visit`. `href` is shown before them and not stored: it
/// follows from the download's identifier.
package struct DownloadContent: MemberList {
    /// In bytes.
    package var length: Int64
    /// SHA-256, 64 hexadecimal digits.
    package var sha256: String
    /// Whether something besides the end of the connection proves the length.
    package var isLengthVerified: Bool
    /// Whether it is as long as the client expected; nil where the client expected nothing.
    package var isExpectedLength: Bool?
    /// Until when it is kept.
    package var expiresAt: Timestamp?
    /// Until when it was to be kept when the download ended, once that has changed: the event of
    /// the end shows this.
    package var firstExpiresAt: Timestamp?
    /// Where it was placed, if the download has a destination.
    package var destination: PlacedFile?
    /// Facts of a placed file from when its bytes were last proved; nil for others.
    package var file: FileFacts?
    /// Facts of a placed file from when other bytes were found in it.
    package var changed: FileFacts?
    /// Whether it can still be had.
    package var state = ContentState.held

    /// A file that is held.
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

    /// What a placed file has to be like, as replicas ask each other; nil for one that is not
    /// placed.
    package var expectedFile: String? {
        destination == nil ? nil : file?.text ?? FileFacts.blank.text
    }

    /// Whether its bytes are gone though nobody gave them up, so that they may be fetched again.
    package var isGone: Bool { state == .lost || state == .held && changed != nil }

    /// An empty file.
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
        members.visit("destination", &destination)
        members.visit("file", &file, .storedOnly)
        members.visit("changed", &changed, .storedOnly)
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
        writer.write("/v1/downloads/\(id.text(.download))/content")
        var shown = self
        if state == .held, let first = firstExpiresAt, let end = expiresAt, end > first {
            shown.state = .leased
        }
        if state == .held, changed != nil { shown.state = .changed }
        shown.writeMembers(to: &writer, as: .shown)
        writer.endObject()
    }
}
