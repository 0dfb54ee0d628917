// The outline of a request that the parser rejects.
import HTTPWire
import Testing

@Suite struct OutlineTests {
    private func outline(_ text: String, inPieces: Bool) -> (RequestOutline, Rejection?) {
        var parser = RequestParser(peer: "p")
        let bytes = Vector.wire(text)
        let pieces = inPieces ? bytes.indices.map { bytes[$0...$0] } : [bytes[...]]
        for piece in pieces {
            parser.feed(piece.span)
            while true {
                switch parser.next() {
                case .needMore: break
                case .reject(let rejection): return (parser.outline, rejection)
                case .request, .expectContinue, .streamed, .piece, .end: continue
                }
                break
            }
        }
        return (parser.outline, nil)
    }

    /// Every row of the vector table that is refused, with its method changed to HEAD.
    @Test func outlineOfARejectedHEADHasItsMethod() {
        var count = 0
        for vector in VectorTests.all {
            guard case .reject(_, let after) = vector.outcome, after == 0 else { continue }
            let text = String(decoding: vector.bytes, as: UTF8.self)
            for method in ["GET ", "POST "] where text.hasPrefix(method) {
                let head = "HEAD " + text.dropFirst(method.utf8.count)
                for inPieces in [false, true] where head.utf8.count < 20_000 {
                    let (outline, rejection) = outline(head, inPieces: inPieces)
                    #expect(rejection == nil || outline.isHead, "\(head.debugDescription)")
                    count += rejection == nil ? 0 : 1
                }
            }
        }
        #expect(count > 300, "\(count)")
    }

    @Test(arguments: [
        ("HEAD /a HTTP/2.0¶", true), ("HEAD /#f HTTP/1.1¶", true), ("HEAD␉/ HTTP/1.1¶", true),
        ("HEAD  / HTTP/1.1¶", true), ("HEADS / HTTP/1.1¶", false), ("head / HTTP/1.1¶", false),
        ("HEAD /a HTTP/1.1¶Host: a¶¶␀", false),
        ("HEAD /a HTTP/1.1¶Host: a¶¶get / HTTP/1.1¶", false),
        ("GET /a HTTP/1.1¶Host: a¶¶HEAD / HTTP/3.0¶", true),
        ("HEAD /" + String(repeating: "a", count: 9000), true),
        ("HEAD / HTTP/1.1¶Host: a¶Content-Length: 1¶Content-Length: 1¶", true),
        ("HEAD / HTTP/1.1¶Host: a¶Transfer-Encoding: chunked¶¶x¶", true),
    ])
    func outlineHasTheMethodOfTheRejectedRequest(_ text: String, _ isHead: Bool) {
        for inPieces in [false, true] {
            let (outline, rejection) = outline(text, inPieces: inPieces)
            #expect(rejection != nil)
            #expect(outline.isHead == isHead)
            #expect(outline.peer == "p")
        }
    }

    @Test func outlineHasWhatWasRead() {
        #expect(outline("HEAD /a HT", inPieces: true).0.isHead)
        #expect(outline("HEAD /a HTTP/1.1¶Ho", inPieces: true).0.path == "/a")
        #expect(outline("HEA", inPieces: true).0.method == nil)
    }
}
