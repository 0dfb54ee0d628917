/// A lost file, with the facts by which it is recognized when found.
package struct LostFile: Sendable, Equatable {
    /// The attempt.
    package let fence: Int64
    /// The length in bytes.
    package let length: Int64
    /// SHA-256, 64 hexadecimal digits.
    package let sha256: String
}
