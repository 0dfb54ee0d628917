/// What was proved of a whole body.
package struct VerifiedBody: Equatable, Sendable {
    /// Its bytes.
    package var length: Int64
    /// Whether anything but the end of the connection proves that length.
    package var isLengthVerified: Bool
    /// Whether the head of the last answer describes the content; that of a 416 does not.
    package var isDescribed: Bool

    /// Names all of it.
    package init(length: Int64, isLengthVerified: Bool, isDescribed: Bool) {
        self.length = length
        self.isLengthVerified = isLengthVerified
        self.isDescribed = isDescribed
    }
}
