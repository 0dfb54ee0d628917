// The queue of an app in numbers, for people and their pages.
internal import Base
internal import Downloads
internal import HTTPWire

/// The endpoint of the overview.
final class OverviewEndpoints: EndpointGroup {
    private let board: OverviewBoard

    /// Takes what its endpoint uses.
    init(board: OverviewBoard) { self.board = board }

    var routes: [Route] {
        [
            Route(
                "GET", "/v1/overview", "getOverview", scope: .readDownloads, answers: [.json()],
                .later(get))
        ]
    }

    /// `GET /v1/overview`: the app of the key; with the scope `admin` slots count all apps.
    func get(_ call: Call) async throws(Problem) -> Response {
        let overview = try await board.overview(call)
        var writer = JSONWriter(capacity: 4096)
        overview.write(
            to: &writer, ofAll: call.grant.scopes.contains(.admin),
            showsUploads: call.grant.scopes.contains(.readUploads))
        return .json(writer)
    }
}
