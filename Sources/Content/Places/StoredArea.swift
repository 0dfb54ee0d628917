/// A part of a place.
package enum StoredArea: Sendable, CaseIterable {
    /// Content and unfinished files.
    case current
    /// Files that no row names.
    case quarantine
}
