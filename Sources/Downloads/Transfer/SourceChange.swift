/// The treatment of the bytes in the file when the source changes.
package enum SourceChange: String, Sendable, CaseIterable, MemberValue {
    /// They are thrown away and the new version is fetched.
    case restart
    /// They are kept, and the client decides.
    case ask
    /// The download fails.
    case fail
}
