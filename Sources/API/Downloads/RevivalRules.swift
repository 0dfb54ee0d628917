// Checks by its destinations whether an ended download may become live again.
internal import Base
internal import Downloads
internal import Store

/// Judges downloads for a retry by the present rules for a create.
struct RevivalRules: Sendable {
    private let targets: TargetRules
    private let folders: FolderRule
    private let grant: KeyGrant
    /// The name of the app; empty if no folder belongs to an app.
    private let app: String

    /// Reads the facts about the call's app that the rules need.
    init(_ builder: DownloadBuilder, _ call: Call) async throws(Problem) {
        targets = builder.targets
        folders = builder.folders
        grant = call.grant
        app = try await folders.appName(call)
    }

    /// The refusal for a download that may not become live again; nil if it may or is live.
    ///
    /// - Parameters:
    ///   - download: the download as it is.
    ///   - request: what it is asked for with from now on, where that changes.
    /// - Returns: the problem that a create of it would have.
    func refusal(of download: Download, with request: RequestShape? = nil) -> Problem? {
        let isLost = download.result.content?.isGone == true
        let isRetried = DownloadAction.retry.allowedStates.contains(download.state)
        guard download.state.isTerminal, isRetried || isLost else { return nil }
        let spec = download.shared.value
        do throws(Problem) {
            _ = try targets.origin(of: download.url)
            _ = try targets.origins(of: spec.urls)
            try targets.checkProxy((request ?? spec.request).proxyURL)
            try targets.checkReceivers(spec)
            try folders.check(spec.destination, app: app)
            try grant.expectUploads(for: spec.relay)
            return nil
        } catch {
            return error
        }
    }
}

extension Problem {
    /// The refusal for a key that may not read the download: with its pointers, and of the
    /// download's values only the state.
    var withoutValues: Problem {
        guard kind != .invalidStateTransition, kind != .insufficientScope else { return self }
        var problem = Problem(kind, kind.title + ".")
        var places = FieldErrors()
        for finding in findings {
            places.append(
                FieldError(finding.pointer, "does not fit other members of the download"))
        }
        problem.findings = places
        problem.headers = headers
        return problem
    }
}

extension Call {
    /// A problem that may quote values of a download or a session, in the form for the key.
    func shown(_ problem: Problem) -> Problem {
        hidesDownloads && problem.kind.status < 500 ? problem.withoutValues : problem
    }

    /// Runs a closure whose problems may quote values of a download or a session.
    func quoting<Value>(
        _ body: () async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        do throws(Problem) {
            return try await body()
        } catch {
            throw shown(error)
        }
    }
}
