/// The facts that were proved about a complete body.
package struct VerifiedBody: Equatable, Sendable {
    /// The length in bytes.
    package var length: Int64
    /// Whether anything but the end of the connection proves that length.
    package var isLengthVerified: Bool
    /// Whether the head of the last answer describes the content, which the head of a 416 does not.
    package var isDescribed: Bool

    /// Creates a value with all its members.
    package init(length: Int64, isLengthVerified: Bool, isDescribed: Bool) {
        self.length = length
        self.isLengthVerified = isLengthVerified
        self.isDescribed = isDescribed
    }
}
