// The forecast: the times at which waiting downloads will begin and end, and the bytes of the next
// hours.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Scheduling
internal import Store

/// The endpoint of the forecast.
final class ForecastEndpoints: EndpointGroup {
    private let runner: ForecastRunner
    private let downloads: Downloads
    private let sessions: Sessions
    private let answers: DownloadAnswers
    private let worker: WorkerAccess

    /// Takes what its endpoint uses.
    init(
        runner: ForecastRunner, downloads: Downloads, sessions: Sessions,
        answers: DownloadAnswers, worker: WorkerAccess
    ) {
        self.sessions = sessions
        self.runner = runner
        self.downloads = downloads
        self.answers = answers
        self.worker = worker
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/v1/forecast", "getForecast", scope: .readDownloads,
                query: ["limit", "cursor", "session"], answers: [.json()], .later(get))
        ]
    }

    /// `GET /v1/forecast`: a page of the app's waiting downloads, and the next hours; with the
    /// scope `admin` of all apps.
    func get(_ call: Call) async throws(Problem) -> Response {
        let limit = try call.query.integer("limit", in: 1...200) ?? 50
        var after: Identifier?
        if let text = call.query["cursor"] {
            guard let id = Identifier(digits: text) else {
                throw .invalid("?cursor", "must be a next_cursor that this list gave")
            }
            after = id
        }
        var filter = DownloadFilter()
        filter.states = [.waiting]
        filter.session = call.query["session"]
        if let session = filter.session, !SessionIdentifier.isValid(session) {
            throw .invalid("?session", SessionIdentifier.rule)
        }
        let outlook = try await runner.outlook(call)
        let (wanted, behind) = (filter, after)
        let page = try await call.stored { () throws(StoreError) in
            var page = try await downloads.list(
                app: call.app, wanted, order: .oldestFirst, after: behind, limit: limit)
            page.records = try await downloads.countBefore(page.records)
            return page
        }
        // Without the scope `admin` nothing about other apps is shown.
        let app = call.grant.scopes.contains(.admin) ? nil : call.app
        let hours =
            if let app { await runner.hours(of: app, in: outlook) } else { outlook.hours }
        let name = try await call.stored { () throws(StoreError) in
            try await sessions.appName(call.app)
        }
        let horizon = ForecastHorizon(
            worker.situation(call.now), until: call.now + .seconds(3600 * hours.count), app: name)
        return .json(answer(outlook, page, limit: limit, of: app, (hours, horizon)))
    }

    private func answer(
        _ outlook: ForecastOutlook, _ page: DownloadPage, limit: Int, of app: Int64?,
        _ ahead: (hours: [ForecastOutlook.Hour], horizon: ForecastHorizon)
    ) -> JSONWriter {
        let calibration = worker.calibration()
        let situation = worker.situation(outlook.now)
        var writer = JSONWriter(capacity: 16_384)
        writer.beginObject()
        outlook.writeBasis(calibration, of: app, to: &writer)
        let isFull = page.records.count == limit
        let last = isFull ? page.records.last?.download.id : page.resumption
        writer.member("next_cursor", last.map { String($0.text.dropFirst(3)) })
        writer.key("downloads")
        writer.beginArray()
        for record in page.records {
            guard let candidate = record.candidate else { continue }
            let named = answers.named(candidate, record.download, situation)
            writer.beginObject()
            writer.member("id", record.download.id.text)
            let blockers = Admission.blockers(named, in: situation)
            outlook.write(of: named, heldBackBy: blockers, calibration, to: &writer)
            writer.member("first_blocker", blockers.first?.code.rawValue)
            writer.endObject()
        }
        writer.endArray()
        ForecastOutlook.write(hours: ahead.hours, to: &writer)
        ahead.horizon.write(to: &writer)
        writer.endObject()
        return writer
    }
}
