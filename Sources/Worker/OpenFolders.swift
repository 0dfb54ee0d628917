// The operator's folders, open: into which finished files are placed.
package import Content
package import Core
internal import Platform

/// The folders of `LULL_DESTINATIONS`, each with a lane of its own: a copy to one delays no other.
package struct OpenFolders: Sendable {
    struct Opened: Sendable {
        let folder: PlacingFolder
        let lane: FileLane
    }

    private let allowed: AllowedFolders
    /// By path: two names may mean one folder.
    private let entries: [String: Opened]

    /// None.
    package static let none = OpenFolders()

    private init() { (allowed, entries) = (.none, [:]) }

    /// Opens the folders.
    ///
    /// - Throws: `ContentError`, which names the first that is not there or cannot be written.
    package init(opening allowed: AllowedFolders) throws(ContentError) {
        var entries: [String: Opened] = [:]
        for folder in allowed.list where entries[folder.path] == nil {
            entries[folder.path] = Opened(
                folder: try PlacingFolder(opening: folder.path), lane: FileLane(label: "place"))
        }
        (self.allowed, self.entries) = (allowed, entries)
    }

    /// The folder that a name means for an app, and whether files are copied into it; or nil.
    func find(_ name: String, app: String) -> (opened: Opened, copies: Bool)? {
        guard let folder = allowed.find(name, app: app), let opened = entries[folder.path] else {
            return nil
        }
        return (opened, folder.copies)
    }
}
