// The choice of the place in which content lies.
internal import Content

/// The kinds of places for content.
enum PlaceKind: Sendable {
    /// The data directory of the replica that fetched it.
    case folder

    /// The kind in use: the one value that decides where content is published, read and removed.
    static let chosen = PlaceKind.folder

    /// Opens the place.
    ///
    /// - Parameter content: the data directory of this replica.
    /// - Returns: the place, which has nothing of its own to close.
    func open(_ content: ContentStore) -> any ContentPlace {
        switch self {
        case .folder: FolderPlace(of: content)
        }
    }
}
