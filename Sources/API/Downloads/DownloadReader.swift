// Reads downloads by the identifier in a path, at once or after a change.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Store

/// Reads single downloads for every group of endpoints below `/v1/downloads/{id}`.
struct DownloadReader: Sendable {
    /// The store.
    let downloads: Downloads
    /// Wakes requests that wait for a change.
    let changes: ChangeHub
    /// Whether the service is about to stop.
    let isDraining: @Sendable () -> Bool

    /// Whether endpoints may receive changes, so that the webhook sender has to look.
    var hasListeners: Bool { !changes.listeners.isEmpty }

    /// A download of the call's app.
    ///
    /// - Throws: `not-found`, or what the store's failure becomes.
    func find(_ id: Identifier, _ call: Call) async throws(Problem) -> DownloadRecord {
        try record(of: await downloads.lookUp(id, app: call.app), id, call)
    }

    /// The record of a download that was looked up.
    ///
    /// - Throws: `not-found`, or what the store's failure becomes.
    func record(
        of found: Downloads.Found, _ id: Identifier, _ call: Call
    ) throws(Problem) -> DownloadRecord {
        let record: DownloadRecord?
        do throws(StoreError) {
            record = try found.record()
        } catch {
            throw call.problem(error)
        }
        guard let record else { throw .noDownload(id) }
        return record
    }

    /// A download as soon as a condition holds, or when the time is over.
    ///
    /// - Parameters:
    ///   - id: which.
    ///   - seconds: the time.
    ///   - call: the request that waits.
    ///   - condition: judges each state that is read.
    /// - Returns: the download as it was read last.
    /// - Throws: `not-found`, what the store's failure becomes, or why the key of the request does
    ///   not open it any more.
    func hold(
        _ id: Identifier, upTo seconds: Int, _ call: Call, until condition: (Download) -> Bool
    ) async throws(Problem) -> DownloadRecord {
        guard seconds > 0 else { return try await find(id, call) }
        let deadline = ContinuousClock.now + .seconds(seconds)
        call.key?.enter()
        defer { call.key?.leave() }
        while true {
            if let problem = await call.keyRefusal() { throw problem }
            let record = try await find(id, call)
            let left = deadline - ContinuousClock.now
            let isEnding = isDraining() || Task.isCancelled
            guard !condition(record.download), left > .zero, !isEnding else { return record }
            await changes.wait(for: id, upTo: min(left, call.key?.patience ?? left))
        }
    }
}

extension Call {
    /// The identifier in the path.
    ///
    /// - Throws: `not-found` for a text that is not an identifier.
    func downloadIdentifier() throws(Problem) -> Identifier {
        let kind: IdentifierKind = route.isOfUploads ? .upload : .download
        guard let id = Identifier(parameters[0], kind: kind) else {
            let name = route.isOfUploads ? "an upload" : "a download"
            throw Problem(
                .notFound,
                "\"\(parameters[0])\" is not the identifier of \(name), which is \(kind.rawValue)_ "
                    + "and 26 letters and digits.")
        }
        return id
    }
}

extension Problem {
    /// The refusal for a missing download.
    static func noDownload(_ id: Identifier) -> Problem {
        Problem(
            .notFound,
            "There is no \(id.noun) \(id.text). It was deleted or never existed.")
    }

    /// The refusal for an action, given as a participle, that the state of a download or upload
    /// does not allow.
    static func impossible(
        _ participle: String, in state: DownloadState, of id: Identifier
    ) -> Problem {
        let allowed = DownloadAction.allowed(in: state)
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        var problem = Problem(
            .invalidStateTransition,
            "\(id.isUpload ? "An upload" : "A download") that is \(state.rawValue) cannot be "
                + "\(participle). Possible actions: \(names).")
        problem.members["state"] = .string(state.rawValue)
        problem.members["allowed"] = .array(allowed.map { .string($0.rawValue) })
        return problem
    }
}
