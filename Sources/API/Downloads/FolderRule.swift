// Checks whether a download may go to the folder or store that it names.
internal import Base
internal import Downloads
internal import Store

/// The operator's folders and stores, for requests that name them.
struct FolderRule: Sendable {
    /// The folders and stores.
    let folders: AllowedPlaces
    /// The store that has the names of apps.
    let sessions: Sessions

    /// Checks the destination that a request gives.
    ///
    /// - Returns: the destination, which knows whether its name means a store.
    /// - Throws: `validation-failed` for one that the app may not use.
    func taken(
        _ destination: FileDestination?, _ call: Call, at place: LayeredObject = .document
    ) async throws(Problem) -> FileDestination? {
        guard let destination else { return nil }
        let isAlike = folders.isAlikeForAllApps(destination.name)
        let app = isAlike ? "" : try await appName(call)
        let pointer = place.pointer("destination")
        guard let entry = folders.find(destination.name, app: app) else {
            throw FolderRule.unknown(at: pointer)
        }
        var taken = destination
        switch entry.kind {
        case .folder:
            taken.store = nil
            guard destination.keep == nil else {
                throw .invalid(
                    pointer + "/keep", "can be given for a store only: the files of a folder stay")
            }
        case .store(let location):
            taken.store = location.endpoint.origin
            guard let path = destination.path, !location.takes(path) else { break }
            throw .invalid(
                pointer + "/path",
                "must have at most \(StoreLocation.keyBytesAtMost) bytes in this store, together "
                    + "with the operator's prefix")
        }
        return taken
    }

    /// The name of the call's app; empty if no place belongs to an app.
    func appName(_ call: Call) async throws(Problem) -> String {
        guard folders.list.contains(where: { $0.app != nil }) else { return "" }
        return try await call.stored { () throws(StoreError) in
            try await sessions.appName(call.app)
        }
    }

    /// Checks the destination of a download that was accepted before, for an app.
    ///
    /// - Throws: `validation-failed` for one that the app may not use any more, or whose name means
    ///   another place now.
    func check(_ destination: FileDestination?, app: String) throws(Problem) {
        guard let destination, !folders.takes(destination, app: app) else { return }
        let pointer = LayeredObject.document.pointer("destination")
        guard folders.find(destination.name, app: app) != nil else {
            throw FolderRule.unknown(at: pointer)
        }
        throw .invalid(
            pointer + "/name",
            "means another place than when the destination was given: PATCH destination")
    }

    private static func unknown(at pointer: String) -> Problem {
        .invalid(
            pointer + "/name",
            "is not a folder or store that the operator of this service allows "
                + "(LULL_DESTINATIONS)")
    }
}
