// The bounds of feeds, each at its edge, and feeds that are random.
import Base
import Downloads
import Feeds
import Seeds
import Testing

@Suite struct FeedLimitTests {
    private static func url() throws -> SourceURL {
        try SourceURL(parsing: "https://pod.example/feeds/show.xml")
    }

    private static func read(_ bytes: [UInt8]) throws(FeedFault) -> Feed {
        let url: SourceURL
        do throws(SourceURLError) {
            url = try SourceURL(parsing: "https://pod.example/feeds/show.xml")
        } catch {
            preconditionFailure("the address of the tests is one")
        }
        return try FeedReader.read(bytes, from: url, contentType: nil)
    }

    private static func rss(items: Int) -> [UInt8] {
        let list = (0..<items).map {
            "<item><guid>g\($0)</guid><enclosure url='/\($0).mp3'/></item>"
        }
        return Array("<rss><channel>\(list.joined())</channel></rss>".utf8)
    }

    @Test func itemsBeyondTheLimitAreNotLookedAt() throws {
        let whole = try Self.read(Self.rss(items: Feed.itemsAtMost))
        #expect(whole.items.count == Feed.itemsAtMost && !whole.isCut)
        let cut = try Self.read(Self.rss(items: Feed.itemsAtMost + 1))
        #expect(cut.items == whole.items && cut.isCut)
    }

    @Test func itemsBeyondTheLimitOfAJSONFeedAreNotLookedAt() throws {
        let item = #"{"id":"a","attachments":[{"url":"/a"}]}"#
        for (count, isCut) in [(Feed.itemsAtMost, false), (Feed.itemsAtMost + 1, true)] {
            let list = Array(repeating: item, count: count).joined(separator: ",")
            let text = #"{"version":"https://jsonfeed.org/version/1","items":[\#(list)]}"#
            let feed = try Self.read(Array(text.utf8))
            #expect(feed.items.count == Feed.itemsAtMost && feed.isCut == isCut)
        }
    }

    @Test func bytesBeyondTheLimitAreRefused() throws {
        let feed = Self.rss(items: 1)
        let room = Array(repeating: UInt8(0x20), count: Feed.bytesAtMost - feed.count)
        #expect(try Self.read(feed + room).items.count == 1)
        #expect(throws: FeedFault(.tooLarge, detail: "more than 8 MiB")) {
            try Self.read(feed + room + [0x20])
        }
    }

    @Test func theNamesThatAreKeptAreBounded() throws {
        let many = (0..<200).map { _ in "<item><enclosure url='ftp://a/b'/></item>" }
        let bytes = Array("<rss><channel>\(many.joined())</channel></rss>".utf8)
        #expect(try Self.read(bytes).leftOut.count == LeftOutItem.atMost)
        let files = (0..<200).map { "<enclosure url='/\($0)'/>" }.joined()
        let one = Array("<rss><channel><item>\(files)</item></channel></rss>".utf8)
        #expect(try Self.read(one).items[0].enclosures.count == 64)
        let title = String(repeating: "t", count: 100_000)
        let long = Array(
            "<rss><item><title>\(title)</title><enclosure url='/1'/></item></rss>".utf8)
        #expect(try Self.read(long).items[0].title.count == 1024)
    }

    /// Whatever the bytes are, a feed keeps its bounds, a fault has a place, and both are the same
    /// when they are read again.
    @Test(arguments: 0..<8)
    func randomBytesGiveAFeedOrAFault(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let url = try Self.url()
        let table = try FeedTableTests.rows().map(\.file).filter { $0 != "gzip-bomb.xml.gz" }
        for _ in 0..<150 {
            var bytes = try FeedTableTests.bytes(of: table.randomElement(using: &random) ?? "")
            let other = try FeedTableTests.bytes(of: table.randomElement(using: &random) ?? "")
            for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.removeSubrange(place..<min(bytes.count, place + 40))
                default: bytes.insert(contentsOf: other.prefix(200).suffix(60), at: place)
                }
            }
            let first = FeedTableTests.read(bytes, from: url, contentType: nil)
            #expect(first == FeedTableTests.read(bytes, from: url, contentType: nil))
            if first["fault"] != nil {
                #expect((first["line"]?.integerValue ?? 0) >= 1)
                #expect((first["column"]?.integerValue ?? 0) >= 1)
            }
            for item in first["items"]?.arrayValue ?? [] {
                #expect(item["guid"]?.stringValue?.contains("\u{fffd}") != true)
                for file in item["files"]?.arrayValue ?? [] {
                    let address = try #require(file["url"]?.stringValue)
                    #expect(try SourceURL(parsing: address).description == address)
                }
            }
        }
    }
}
