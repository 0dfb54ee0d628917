// The places over which tests run.
package import Base
package import Content

/// A kind of place under test.
package enum TestedPlace: String, Sendable, CaseIterable {
    /// The data directory.
    case folder
    /// Objects in a store of their own.
    case objects

    /// Opens the place.
    ///
    /// - Parameters:
    ///   - content: the data directory.
    ///   - objects: the store of objects.
    /// - Returns: the place.
    package func open(_ content: ContentStore, _ objects: ObjectStore) -> any ContentPlace {
        switch self {
        case .folder: FolderPlace(of: content)
        case .objects: ObjectPlace(of: objects, identifier: TestedPlace.shared)
        }
    }

    /// The identifier of the store of objects.
    package static let shared = Identifier(high: 0xc01d, low: 0x5704e)
}
