package import Core

/// A part of a list.
package struct DownloadPage: Sendable {
    /// What fits, in order.
    package var records: [DownloadRecord]
    /// Where to go on where only a part was looked at, because few fit; nil if the page is full or
    /// all was looked at.
    package let resumption: Identifier?

    /// Names both.
    package init(records: [DownloadRecord], resumption: Identifier?) {
        self.records = records
        self.resumption = resumption
    }
}
