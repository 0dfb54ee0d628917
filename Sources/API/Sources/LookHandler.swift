// Begins the looks of sources when a replica's duty finds them due.
package import Base
internal import Crypto
internal import Downloads
internal import HTTPWire
package import Scheduling
package import Store

/// Makes the download of a due look, and stores it together with the step of its source.
package struct LookHandler: Sendable {
    let endpoints: DownloadEndpoints
    let looks: LookBuilder
    let sources: Sources
    let contents: ContentEndpoints
    private let report: @Sendable (_ requestID: String, _ cause: String) -> Void
    private let route = Route(
        "POST", "/v1/downloads", "createDownload", scope: nil, answers: [],
        .now({ _ in Response(status: 500) }))

    /// Creates a handler that makes downloads as `POST /v1/downloads` does.
    package init(_ dependencies: Dependencies) {
        endpoints = dependencies.downloadEndpoints
        looks = LookBuilder(
            builder: endpoints.builder, secrets: dependencies.secrets,
            makeIdentifier: dependencies.makeIdentifier)
        sources = dependencies.store.downloads.sources
        contents = dependencies.contentEndpoints(endpoints.reader)
        report = dependencies.report
    }

    /// Begins the look of a turn.
    ///
    /// - Parameters:
    ///   - source: the source as it was read.
    ///   - timetable: the state behind the turn.
    ///   - turn: the turn, which begins a look.
    /// - Returns: the reason why no download was created; nil if one was, or if another replica
    ///   handled the source.
    /// - Throws: `unavailable`, `overloaded` or `refused`: nothing was recorded.
    package func begin(
        _ source: SourceRecord, _ timetable: SourceTimetable, _ turn: SourceTurn
    ) async throws(StoreError) -> String? {
        guard let start = turn.start else { return nil }
        let step = SourceStep(source, to: timetable, by: turn)
        var new: NewDownload
        do throws(Problem) {
            new = try await download(of: source, isFull: start.isFull)
        } catch {
            switch error.kind {
            case .databaseUnavailable, .overloaded:
                throw StoreError(.unavailable, error.detail)
            default: break
            }
            _ = try await sources.record(step, failure: error.kind.rawValue)
            return error.kind.rawValue
        }
        var moved = timetable
        moved.begin(start, as: new.download.id, at: source.readAt)
        new.look = SourceStep(source, to: moved, by: turn)
        do throws(StoreError) {
            if try await endpoints.intake.submit(new, idempotency: nil) == .mine {
                endpoints.wake(for: [new])
            }
            return nil
        } catch {
            switch error.code {
            case .queueFull:
                let refused = timetable.refused(turn)
                _ = try await sources.record(SourceStep(source, to: timetable, by: refused))
                return SkipReason.quota.rawValue
            case .sessionClosed:
                let reason = ProblemKind.sessionInvalidated.rawValue
                endpoints.sessions.cache.forget(
                    app: source.app, identifier: source.spec.session)
                _ = try await sources.record(step, failure: reason)
                return reason
            default: throw error
            }
        }
    }

    /// Cancels the download of a look whose next one is due.
    ///
    /// - Parameters:
    ///   - id: the download; one that has ended stays as it is.
    ///   - app: the app that owns it.
    /// - Throws: `unavailable` or `refused`.
    package func stop(_ id: Identifier, app: Int64) async throws(StoreError) {
        let outcomes = try await endpoints.reader.downloads.perform(
            .cancel, on: [id], app: app, because: .nextLook)
        for case .done(_, let order) in outcomes {
            if let order { endpoints.worker.orderPlaced(id, order) }
        }
        endpoints.worker.looksChanged()
        endpoints.worker.delivered()
    }

    private func download(
        of source: SourceRecord, isFull: Bool
    ) async throws(Problem) -> NewDownload {
        let call = call(for: source)
        let template = try looks.template(of: source)
        var new = try await looks.build(
            template, source.spec, of: source.identifier, version: source.known.version + 1, call)
        new.download.spec.requestID = nil
        new.download.spec.condition = template.condition(
            source.known, isFeed: source.spec.kind == .feed, isFull: isFull)
        return new
    }

    /// The request that stands for the source itself, with all rights of its app.
    func call(for source: SourceRecord) -> Call {
        Call(
            Request(method: "POST", path: "/v1/downloads"), id: source.id.text(.source),
            at: source.readAt, route: route, parameters: [], query: Query(),
            grant: .everything(app: source.app), key: nil, log: report)
    }
}
