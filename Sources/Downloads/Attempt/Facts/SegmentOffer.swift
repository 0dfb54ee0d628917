package import Base

/// A file that several streams may fetch.
package struct SegmentOffer: Equatable, Sendable {
    /// The validator that each stream sends as `If-Range`.
    package let etag: FieldValue
    /// The length of the whole file in bytes.
    package let total: Int64
    /// The most streams, at least 2.
    package let streams: Int

    /// Creates an offer with all its members.
    package init(etag: FieldValue, total: Int64, streams: Int) {
        self.etag = etag
        self.total = total
        self.streams = streams
    }
}
