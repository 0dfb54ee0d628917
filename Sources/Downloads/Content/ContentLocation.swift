/// The kind of place in which finished content is kept; the raw value is the API's.
package enum ContentLocation: String, Sendable, CaseIterable, MemberValue {
    /// The data directory of the replica that fetched it.
    case replica
    /// An object store of the operator, from which every replica can read it.
    case store
}
