// Every row, delivered whole, byte by byte and cut in two at every place.
import HTTPWire
import Testing

@Suite struct VectorTests {
    static let all =
        Vector.requestLines + Vector.targets + Vector.fields + Vector.lengths + Vector.codings
        + Vector.chunks

    @Test(arguments: all) func everySplitOfTheBytesGivesTheSameResult(_ vector: Vector) {
        everySplit(vector)
    }

    @Test(arguments: Vector.llhttp) func strictCasesOfLLHTTP(_ vector: Vector) {
        everySplit(vector)
    }

    @Test(arguments: all + Vector.llhttp)
    func streamedContentIsReadByTheSameRules(_ vector: Vector) {
        let bytes = vector.bytes
        let collected = Observed([bytes[...]])
        // Only streamed content has no bound.
        guard collected.rejection?.status != 413 else { return }
        let whole = Observed([bytes[...]], streams: true)
        #expect(whole.requests == collected.requests)
        #expect(whole.rejection == collected.rejection)
        #expect(whole.stage == collected.stage)
        var bytewise = Observed(bytes.indices.map { bytes[$0...$0] }, streams: true)
        bytewise.continues = whole.continues
        #expect(bytewise == whole, "byte by byte")
        for cut in stride(from: 0, through: bytes.count, by: bytes.count > 700 ? 1009 : 1) {
            var halves = Observed([bytes[..<cut], bytes[cut...]], streams: true)
            halves.continues = whole.continues
            if halves != whole {
                #expect(halves == whole, "cut at \(cut)")
                return
            }
        }
    }

    private func everySplit(_ vector: Vector) {
        var bytes = vector.bytes
        if case .reject = vector.outcome { bytes += Vector.wire(Vector.canary) }
        let whole = Observed([bytes[...]])
        judge(whole, vector)
        #expect(!whole.paths.contains("/canary"))

        var bytewise = Observed(bytes.indices.map { bytes[$0...$0] })
        bytewise.continues = whole.continues
        #expect(bytewise == whole, "byte by byte")
        // Long rows are cut at a prime distance, which meets every remainder of their pattern.
        for cut in stride(from: 0, through: bytes.count, by: bytes.count > 700 ? 1009 : 1) {
            var halves = Observed([bytes[..<cut], bytes[cut...]])
            halves.continues = whole.continues
            if halves != whole {
                #expect(halves == whole, "cut at \(cut)")
                return
            }
        }
    }

    private func judge(_ observed: Observed, _ vector: Vector) {
        switch vector.outcome {
        case .requests(let count):
            #expect(observed.requests.count == count)
            #expect(observed.rejection == nil)
            #expect(observed.stage == .idle)
        case .reject(let statuses, let count):
            #expect(observed.requests.count == count)
            #expect(statuses.contains(observed.rejection?.status ?? 0))
        case .wait(let count):
            #expect(observed.requests.count == count)
            #expect(observed.rejection == nil)
        }
        if let last = vector.last { #expect(observed.requests.last == last) }
    }

    @Test func refusesEverySmugglingVector() {
        // Row 101: as the tool "smuggler" does, odd bytes at ten places around one field.
        let odd: [UInt8] = [0x00, 0x01, 0x04, 0x08, 0x0a, 0x0b, 0x0c, 0x0d, 0x1f, 0x7f, 0x85, 0xa0]
        for byte in odd + [0xff] {
            let mark = "«\(String(byte, radix: 16))»"
            let lines = [
                "\(mark)Transfer-Encoding: chunked", "Transfer-Encoding\(mark): chunked",
                "Transfer-Encoding:\(mark)chunked", "Transfer-Encoding: \(mark)chunked",
                "Transfer-Encoding: chunked\(mark)", "Transfer\(mark)-Encoding: chunked",
                "Transfer-Encoding: chu\(mark)nked", "X: a\(mark)Transfer-Encoding: chunked",
                "X\(mark)Transfer-Encoding: chunked", "X: a¶\(mark)Transfer-Encoding: chunked",
            ]
            for line in lines where !(byte >= 0x80 && line.hasPrefix("X: a\(mark)")) {
                let bytes = Vector.wire(Vector.postHost + line + "¶¶0¶¶" + Vector.canary)
                let observed = Observed([bytes[...]])
                #expect(observed.rejection != nil, "\(line)")
                #expect(observed.paths.isEmpty, "\(line)")
            }
        }
    }

    @Test func manyPipelinedRequestsKeepTheirOrder() {
        var bytes: [UInt8] = []
        for number in 0..<10_000 { bytes += Vector.wire("GET /\(number) HTTP/1.1¶Host: a¶¶") }
        let pieces = stride(from: 0, to: bytes.count, by: 65_536).map {
            bytes[$0..<min(bytes.count, $0 + 65_536)]
        }
        #expect(Observed(pieces).paths == (0..<10_000).map { "/\($0)" })
    }
}
