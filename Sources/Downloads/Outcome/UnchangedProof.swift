/// The proof that the content of a download is the known one; the raw value is the API's.
package enum UnchangedProof: String, Sendable, CaseIterable, MemberValue {
    /// The origin answered 304 to the validators.
    case notModified = "not_modified"
    /// The content was fetched and has the known digest.
    case sameDigest = "same_digest"
}
