/// The kind of a source.
package enum SourceKind: String, Sendable, CaseIterable {
    /// One file, whose versions are kept apart by their digests.
    case file
}
