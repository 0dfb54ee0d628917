internal import CPlatform
internal import Platform

/// A file whose bytes have all arrived and been verified.
package struct CompletedPart: Sendable {
    /// The file.
    package let part: PartFile
    /// How many bytes it must have.
    package let length: Int64

    /// Names a finished file and its length.
    package init(part: PartFile, length: Int64) {
        self.part = part
        self.length = length
    }
}
