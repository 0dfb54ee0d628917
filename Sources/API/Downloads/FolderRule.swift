// Checks whether a download may be placed into the folder that it names.
internal import Base
internal import Downloads
internal import Store

/// The operator's folders, for requests that name them.
struct FolderRule: Sendable {
    /// The folders.
    let folders: AllowedFolders
    /// The store that has the names of apps.
    let sessions: Sessions

    /// Checks the folder of a destination.
    ///
    /// - Throws: `validation-failed` for one that the app may not use.
    func check(
        _ destination: FileDestination?, _ call: Call, at place: LayeredObject = .document
    ) async throws(Problem) {
        guard let destination else { return }
        let isAlike = folders.isAlikeForAllApps(destination.name)
        try check(destination, app: isAlike ? "" : try await appName(call), at: place)
    }

    /// The name of the call's app; empty if no folder belongs to an app.
    func appName(_ call: Call) async throws(Problem) -> String {
        guard folders.list.contains(where: { $0.app != nil }) else { return "" }
        return try await call.stored { () throws(StoreError) in
            try await sessions.appName(call.app)
        }
    }

    /// Checks the folder of a destination for an app.
    ///
    /// - Throws: `validation-failed` for one that the app may not use.
    func check(
        _ destination: FileDestination?, app: String, at place: LayeredObject = .document
    ) throws(Problem) {
        guard let destination, folders.find(destination.name, app: app) == nil else { return }
        throw .invalid(
            place.pointer("destination") + "/name",
            "is not a folder that the operator of this service allows (LULL_DESTINATIONS)")
    }
}
