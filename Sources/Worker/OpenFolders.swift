// The operator's folders for finished files, opened.
package import Content
package import Downloads
internal import Platform

/// The folders of `LULL_DESTINATIONS`, each with a lane of its own, so that a copy to one does not
/// delay others.
package struct OpenFolders: Sendable {
    struct Opened: Sendable {
        let folder: PlacingFolder
        let lane: FileLane
    }

    private let allowed: AllowedPlaces
    /// Opened folders by path, because two names may have one path.
    private let entries: [String: Opened]

    /// A value without folders.
    package static let none = OpenFolders()

    private init() { (allowed, entries) = (.none, [:]) }

    /// Opens the folders.
    ///
    /// - Throws: `ContentError`, which names the first that is not there or cannot be written.
    package init(opening allowed: AllowedPlaces) throws(ContentError) {
        var entries: [String: Opened] = [:]
        for folder in allowed.list.compactMap(\.folder) where entries[folder.path] == nil {
            entries[folder.path] = Opened(
                folder: try PlacingFolder(opening: folder.path), lane: FileLane(label: "place"))
        }
        (self.allowed, self.entries) = (allowed, entries)
    }

    /// The folder that a name means for an app, and whether files are copied into it; nil if there
    /// is none.
    func find(_ name: String, app: String) -> (opened: Opened, copies: Bool)? {
        guard let folder = allowed.find(name, app: app)?.folder,
            let opened = entries[folder.path]
        else {
            return nil
        }
        return (opened, folder.copies)
    }
}
