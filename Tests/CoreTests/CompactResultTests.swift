// A result that is stored without repetitions is read back whole, whichever members repeat others.
import Base
import Downloads
import Testing

@Suite struct CompactResultTests {
    @Test(arguments: 1...300)
    func compactedResultIsReadAsItWas(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func word() -> String { ["a", "b", "text/html"].randomElement(using: &random) ?? "a" }
        func maybe() -> String? { Bool.random(using: &random) ? word() : nil }
        var result = DownloadResult()
        if !random.isOne(in: 9) {
            let addresses = [
                "own/a", "other/b", "own/a?q/b", "own/a#b/a", "a", "https://o.example/d%20e/text",
            ]
            let address = addresses.randomElement(using: &random) ?? "own/a"
            var answer = OriginResponse(statusCode: 200, url: address)
            answer.suggestedFilename = maybe()
            answer.urlChain = (0..<Int.random(in: 0...2, using: &random)).map { _ in word() }
            (answer.etag, answer.headers.etag) = (maybe(), maybe())
            (answer.lastModified, answer.headers.lastModified) = (maybe(), maybe())
            (answer.mimeType, answer.headers.contentType) = (maybe(), maybe())
            result.response = answer
        }
        result.currentURL = Bool.random(using: &random) ? result.response?.url : maybe()
        let text = result.compacted(of: "own/a").text(as: .stored)
        let read = try #require(DownloadResult(stored: JSON.parse(text)))
        #expect(read.expanded(of: "own/a") == result, "\(text)")
        #expect(!text.contains(#""url":"own/a""#))
        #expect(text.utf8.count <= result.text(as: .stored).utf8.count + 14)
        #expect(result.compacted(of: "own/a").text(as: .shown).contains("repeats") == false)
    }

    /// The name that follows from the address is not stored beside it.
    @Test(arguments: [
        ("https://o.example/a/b.bin", "b.bin", true),
        ("https://o.example/b.bin?x=/y", "b.bin", true),
        ("https://o.example/b.bin#/y", "b.bin", true), ("https://o.example/a%20b", "a b", false),
        ("https://o.example/a/", "a", false), ("https://o.example/a", "b", false),
    ])
    func filenameOfTheAddressIsNotStored(url: String, name: String, isLeftOut: Bool) throws {
        var answer = OriginResponse(statusCode: 200, url: url)
        answer.suggestedFilename = name
        var result = DownloadResult()
        result.response = answer
        let text = result.compacted(of: "other").text(as: .stored)
        #expect(text.contains("suggested_filename") != isLeftOut)
        let read = try #require(DownloadResult(stored: JSON.parse(text)))
        #expect(read.expanded(of: "other") == result)
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

@Suite struct StoredDigestTests {
    /// Texts of digests, and texts that are not a digest.
    private static let texts =
        (0..<8).map { seed in
            (0..<32).map { place in
                let byte = UInt8(truncatingIfNeeded: (seed * 37 + place * 89) % 256)
                return (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
        } + ["", "0a", String(repeating: "g", count: 64), String(repeating: "A", count: 64)]

    @Test(arguments: texts)
    func digestIsStoredShorterAndShownAsItWas(_ text: String) throws {
        let content = DownloadContent(length: 1, sha256: text, isLengthVerified: true)
        let stored = content.text(as: .stored)
        let isDigest = text.utf8.count == 64 && text.first != "g" && text.first != "A"
        #expect(stored.contains(text) == !isDigest)
        #expect(DownloadContent(stored: StoredJSON(stored)) == content)
        #expect(content.text(as: .shown).contains("\"sha256\":\"\(text)\""))
        // A stored result that spells the digest out is read as well.
        let before = StoredJSON("{\"length\":1,\"sha256\":\"\(text)\",\"length_verified\":true}")
        #expect(DownloadContent(stored: before) == content)
    }
}
