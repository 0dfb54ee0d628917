/// The place of an answer's body in the file.
package struct BodyPlace: Equatable, Sendable {
    /// The place of its first byte in the file.
    package var start: Int64
    /// The place behind the last byte that is announced; more are refused.
    package var end = Int64.max
    /// The length of the whole, to take room on the disk; nil where it is unknown.
    package var whole: Int64?
    /// Digests that are made while the bytes are written.
    package var digests: Set<DigestAlgorithm> = []
    /// Whether the body waits until the row names no bytes of another version; then
    /// `rowForgotten()`.
    package var forgetsRow = false
    /// Whether the beginning of the body is kept beside the file, because its length shows at its
    /// end alone and may be too short.
    package var keepsExcerpt = false
    /// Whether the body is the whole content, so that other streams and their plan are void.
    package var isFresh: Bool { start == 0 && end == .max }
    /// The plan of several streams into which the file may be cut; nil for none.
    package var segments: SegmentOffer?
}
