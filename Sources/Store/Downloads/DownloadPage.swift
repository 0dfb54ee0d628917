package import Base

/// A part of a list.
package struct DownloadPage: Sendable {
    /// The selected downloads, in order.
    package var records: [DownloadRecord]
    /// The position at which to continue if only a part was looked at, because few downloads match;
    /// nil if the page is full or all were looked at.
    package let resumption: Identifier?

    /// Creates a value with both members.
    package init(records: [DownloadRecord], resumption: Identifier?) {
        self.records = records
        self.resumption = resumption
    }
}
