// libFuzzer's entry for the request parser: scripts/fuzz compiles it together with HTTPWire.

/// The events of one delivery.
private struct Seen: Equatable {
    var requests: [String] = []
    var rejection: Rejection?
    var stage = RequestParser.Stage.idle

    init(_ pieces: [ArraySlice<UInt8>]) {
        let limits = WireLimits(
            lineBytes: 256, headerBlockBytes: 1024, headerFields: 16, bodyBytes: 512,
            chunkExtensionBytes: 16, chunkExtensionsBytes: 64, trailerBytes: 64)
        var parser = RequestParser(limits: limits, peer: "fuzz")
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
            case .expectContinue: continue
            case .streamed, .piece, .end:
                preconditionFailure("nothing is streamed unless it is asked for")
            case .request(let request):
                precondition(request.body.count <= 512, "a body has its bound")
                precondition(request.path == "*" || request.path.hasPrefix("/"), "a path is whole")
                let fields = request.headers.lines.map { "\($0.name)=\($0.value)" }
                requests.append(
                    "\(request.method) \(request.path) \(request.query ?? "-") \(request.version) "
                        + "\(request.authority ?? "-") \(request.keepsAlive) \(fields) "
                        + "\(request.body)")
            case .reject(let reason): rejection = reason
            }
        }
        guard let reason = rejection, case .reject(reason) = parser.next() else {
            preconditionFailure("after a rejection there is nothing else")
        }
    }
}

/// The first byte sets the places at which the others are cut; the places must make no difference.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzRequest(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    guard let first = input.first else { return 0 }
    let bytes = input.dropFirst()
    let whole = Seen([bytes])
    precondition(Seen(bytes.indices.map { bytes[$0...$0] }) == whole, "byte by byte")
    let cut = bytes.startIndex + Int(first) % (bytes.count + 1)
    precondition(Seen([bytes[..<cut], bytes[cut...]]) == whole, "in two pieces")
    return 0
}
