/// A file that was called lost, as it has to be when it is found.
package struct LostFile: Sendable, Equatable {
    /// The attempt.
    package let fence: Int64
    /// In bytes.
    package let length: Int64
    /// SHA-256, 64 hexadecimal digits.
    package let sha256: String
}
