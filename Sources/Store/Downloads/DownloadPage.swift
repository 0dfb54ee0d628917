package import Base

/// A part of a list.
package struct DownloadPage: Sendable {
    /// The selected downloads, in order.
    package var records: [DownloadRecord]
    /// The position at which to continue if only a part was looked at, because few downloads match;
    /// nil if the page is full or all were looked at.
    package let resumption: Identifier?
    /// The instant of that position in an order by time.
    package let resumptionAt: Timestamp?

    /// Creates a value with all its members.
    package init(
        records: [DownloadRecord], resumption: Identifier?, resumptionAt: Timestamp? = nil
    ) {
        self.records = records
        self.resumption = resumption
        self.resumptionAt = resumptionAt
    }
}
