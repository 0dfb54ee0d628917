import Foundation

/// What the page asks for.
struct Site {
    struct Shown: Codable {
        let message: String
        let found: [Track]
        let rows: [Tunes.Row]
    }

    let tunes: Tunes

    func answer(_ request: Request) -> Response {
        switch (request.method, request.path) {
        case ("GET", "/"): return page("index.html", "text/html; charset=utf-8")
        case ("GET", "/tunes.js"): return page("tunes.js", "text/javascript")
        case ("GET", "/tunes.css"): return page("tunes.css", "text/css")
        case ("GET", "/state"): return state()
        case ("GET", _) where request.path.hasPrefix("/songs/"): return song(request)
        case ("POST", "/search"):
            tunes.query.search(String(decoding: request.body, as: UTF8.self))
            return Response(status: "204 No Content")
        case ("POST", _): return act(request)
        default: return Response(status: "404 Not Found")
        }
    }

    private func page(_ name: String, _ type: String) -> Response {
        guard let url = Bundle.module.url(forResource: "page/" + name, withExtension: nil),
            let data = try? Data(contentsOf: url)
        else { return Response(status: "404 Not Found") }
        return Response(status: "200 OK", type: type, body: data)
    }

    private func state() -> Response {
        let (found, message) = tunes.query.results
        let shown = Shown(message: message, found: found, rows: tunes.shown)
        guard let data = try? JSONEncoder().encode(shown) else {
            return Response(status: "500 Internal Server Error")
        }
        return Response(status: "200 OK", type: "application/json", body: data)
    }

    private func act(_ request: Request) -> Response {
        do {
            let track = try JSONDecoder().decode(Track.self, from: request.body)
            switch request.path {
            case "/download": try tunes.start(track, isTonight: false)
            case "/tonight": try tunes.start(track, isTonight: true)
            case "/pause": tunes.pause(track)
            case "/resume": try tunes.resume(track)
            case "/cancel": tunes.cancel(track)
            default: return Response(status: "404 Not Found")
            }
            return Response(status: "204 No Content")
        } catch {
            return Response(status: "400 Bad Request")
        }
    }

    /// A song, or the range of it for which a player asks.
    private func song(_ request: Request) -> Response {
        let name = request.path.dropFirst("/songs/".count)
        guard let row = tunes.shown.first(where: { $0.track.file == name && $0.state == "here" }),
            let data = try? Data(contentsOf: tunes.file(row.track))
        else { return Response(status: "404 Not Found") }
        let bounds = request.fields["range"]?.dropFirst("bytes=".count).split(
            separator: "-", omittingEmptySubsequences: false)
        guard let first = bounds?.first.flatMap({ Int($0) }), first < data.count else {
            return Response(status: "200 OK", type: "audio/wav", body: data)
        }
        let last = min(bounds?.last.flatMap { Int($0) } ?? data.count - 1, data.count - 1)
        guard first <= last else { return Response(status: "416 Range Not Satisfiable") }
        return Response(
            status: "206 Partial Content", type: "audio/wav", body: data[first...last],
            fields: ["Content-Range": "bytes \(first)-\(last)/\(data.count)"])
    }
}
