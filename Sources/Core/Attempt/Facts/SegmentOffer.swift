/// A file that several streams may fetch.
package struct SegmentOffer: Equatable, Sendable {
    /// The `If-Range` of each.
    package let etag: FieldValue
    /// Bytes of the whole.
    package let total: Int64
    /// The most streams, at least 2.
    package let streams: Int

    /// Names all of it.
    package init(etag: FieldValue, total: Int64, streams: Int) {
        self.etag = etag
        self.total = total
        self.streams = streams
    }
}
