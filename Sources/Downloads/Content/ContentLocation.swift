/// Where the file of a finished download lies; the raw value is the API's.
package enum ContentLocation: String, Sendable, CaseIterable, MemberValue {
    /// In the data directory of a replica.
    case replica
    /// In the object store of its destination, under `destination`'s path.
    case store
}
