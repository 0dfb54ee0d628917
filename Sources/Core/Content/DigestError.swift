/// Why a text is no digest.
package struct DigestError: Error, Equatable, Sendable {
    /// What to change.
    package let detail: String

    init(_ detail: String) { self.detail = detail }
}
