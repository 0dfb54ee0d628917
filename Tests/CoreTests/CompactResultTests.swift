// What is stored without repetitions is read as it was, whichever members repeat others.
import Core
import Testing

@Suite struct CompactResultTests {
    @Test(arguments: 1...300)
    func compactedResultIsReadAsItWas(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func word() -> String { ["a", "b", "text/html"].randomElement(using: &random) ?? "a" }
        func maybe() -> String? { Bool.random(using: &random) ? word() : nil }
        var result = DownloadResult()
        if !random.isOne(in: 9) {
            var answer = OriginResponse(statusCode: 200, url: word())
            answer.urlChain = (0..<Int.random(in: 0...2, using: &random)).map { _ in word() }
            (answer.etag, answer.headers.etag) = (maybe(), maybe())
            (answer.lastModified, answer.headers.lastModified) = (maybe(), maybe())
            (answer.mimeType, answer.headers.contentType) = (maybe(), maybe())
            result.response = answer
        }
        result.currentURL = maybe()
        let text = result.compacted.text(as: .stored)
        let read = try #require(DownloadResult(stored: JSON.parse(text)))
        #expect(read.expanded == result, "\(text)")
        #expect(text.utf8.count <= result.text(as: .stored).utf8.count + 14)
        #expect(result.compacted.text(as: .shown).contains("repeats") == false)
    }

    @Test(arguments: 1...300)
    func compactedDetailIsReadAsItWas(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func count() -> Int64? { [nil, 0, 7].randomElement(using: &random) ?? nil }
        let usual = Bool.random(using: &random)
        var detail = AttemptDetail()
        detail.url = ["own", "other"].randomElement(using: &random)
        detail.httpStatus = usual || Bool.random(using: &random) ? 200 : nil
        detail.resumedFrom = usual ? 0 : count()
        detail.bytesDiscarded = usual ? 0 : count()
        detail.lookupTime = usual ? 0 : count()
        detail.connectTime = usual ? 5 : count()
        detail.tlsTime = usual ? 0 : count()
        detail.totalTime = count()
        let text = detail.compacted(of: "own").text(as: .stored)
        let read = try #require(AttemptDetail(stored: JSON.parse(text)))
        #expect(read.expanded(of: "own") == detail, "\(text)")
    }
}
