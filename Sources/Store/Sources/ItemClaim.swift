package import Base
internal import Scheduling

/// The item whose file a new download is: its key is written with the download, once for ever.
package struct ItemClaim: Sendable {
    /// The source's number.
    let source: Int64
    /// The version of the source's document; with another one the download is not stored.
    let version: Int64
    /// The item.
    let item: SourceItem
    /// The download of the look that queues it; nil to fetch a known item again.
    let look: Identifier?
    /// Whether `keep` holds its content while it is among the last ones.
    let isKept: Bool

    /// Creates a claim.
    ///
    /// - Parameters:
    ///   - item: the item.
    ///   - source: the source as it was read.
    ///   - look: the download of the look that queues it; nil to fetch a known item again.
    package init(_ item: SourceItem, of source: SourceRecord, by look: Identifier?) {
        (self.item, self.look) = (item, look)
        (self.source, version) = (source.number, source.version)
        isKept = source.spec.keep?.last != nil
    }
}
