/// The kind of a source.
package enum SourceKind: String, Sendable, CaseIterable {
    /// One file, whose versions are kept apart by their digests.
    case file
    /// A feed, of which each item's file is fetched once.
    case feed
}
