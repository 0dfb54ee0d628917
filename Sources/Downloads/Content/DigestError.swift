/// The reason why a text is no digest.
package struct DigestError: Error, Equatable, Sendable {
    /// A sentence that says what to change.
    package let detail: String

    init(_ detail: String) { self.detail = detail }
}
