// Whether a download may be placed into the folder that it names.
internal import Core
internal import Store

/// The operator's folders, as far as requests name them.
struct FolderRule: Sendable {
    /// The folders.
    let folders: AllowedFolders
    /// Where the names of apps are read.
    let sessions: Sessions

    /// Judges the folder of a destination.
    ///
    /// - Throws: `validation-failed` for one that the app may not use.
    func check(
        _ destination: FileDestination?, _ call: Call, at place: LayeredObject = .document
    ) async throws(Problem) {
        guard let destination else { return }
        let name = destination.name
        var app = ""
        if !folders.isAlikeForAllApps(name) {
            app = try await call.stored { () throws(StoreError) in
                try await sessions.appName(call.app)
            }
        }
        guard folders.find(name, app: app) == nil else { return }
        throw .invalid(
            place.pointer("destination") + "/name",
            "names no folder of this service; its operator allows them with LULL_DESTINATIONS")
    }
}
