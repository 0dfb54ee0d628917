// The parser's events for some bytes, however they are cut up.
import HTTPWire

/// The requests and the rejection of one delivery.
struct Observed: Equatable {
    var requests: [String] = []
    var paths: [String] = []
    var rejection: Rejection?
    var continues = 0
    var stage = RequestParser.Stage.idle

    /// Feeds the pieces one after the other, reading events behind each.
    init(_ pieces: [ArraySlice<UInt8>], limits: WireLimits = WireLimits()) {
        var parser = RequestParser(limits: limits, peer: "test")
        for piece in pieces {
            parser.feed(piece.span)
            take(&parser)
        }
        stage = parser.stage
    }

    private mutating func take(_ parser: inout RequestParser) {
        while rejection == nil {
            switch parser.next() {
            case .needMore: return
            case .expectContinue: continues += 1
            case .request(let request):
                paths.append(request.path)
                requests.append(Self.text(request))
            case .reject(let reason): rejection = reason
            }
        }
    }

    /// Everything about a request in one line.
    static func text(_ request: Request) -> String {
        let fields = request.headers.lines.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return [
            request.method, request.path, request.query ?? "-", request.authority ?? "-",
            "\(request.version)", request.keepsAlive ? "keeps" : "closes", fields,
            String(decoding: request.body, as: UTF8.self),
        ].joined(separator: " ")
    }
}
