// The parser's events for some bytes, however they are cut up.
import HTTPWire

/// The requests and the rejection of one delivery.
struct Observed: Equatable {
    var requests: [String] = []
    var paths: [String] = []
    var rejection: Rejection?
    var continues = 0
    var stage = RequestParser.Stage.idle
    /// The request whose content is streamed, with the content so far.
    private var open: (head: Request, content: [UInt8])?

    static func == (one: Observed, other: Observed) -> Bool {
        one.requests == other.requests && one.paths == other.paths
            && one.rejection == other.rejection && one.continues == other.continues
            && one.stage == other.stage && one.open?.content == other.open?.content
    }

    /// Feeds the pieces one after the other, reading events behind each.
    ///
    /// Content that is streamed is put together again.
    init(
        _ pieces: [ArraySlice<UInt8>], limits: WireLimits = WireLimits(), streams: Bool = false
    ) {
        var parser = RequestParser(limits: limits, peer: "test") { _ in streams }
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
                requests.append(Self.text(request, request.body))
            case .streamed(let head, _, let waits):
                continues += waits ? 1 : 0
                open = (head, [])
            case .piece(let bytes): open?.content += bytes
            case .end:
                guard let (head, content) = open.take() else { return }
                paths.append(head.path)
                requests.append(Self.text(head, content))
            case .reject(let reason): rejection = reason
            }
        }
    }

    /// Everything about a request in one line.
    static func text(_ request: Request, _ content: [UInt8]) -> String {
        let fields = request.headers.lines.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return [
            request.method, request.path, request.query ?? "-", request.authority ?? "-",
            "\(request.version)", request.keepsAlive ? "keeps" : "closes", fields,
            String(decoding: content, as: UTF8.self),
        ].joined(separator: " ")
    }
}
