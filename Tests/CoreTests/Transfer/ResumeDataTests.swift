// The data from which a download can be made again.
import Base
import Downloads
import Testing

@Suite struct ResumeDataTests {
    private static let now = Timestamp(seconds: 1_795_309_200)
    private static let id = Identifier(high: 1, low: 2)

    private static func point(etag: FieldValue? = "\"a\"", offset: Int64 = 5) -> ResumePoint {
        var facts = ResponseFacts(status: 200, url: "https://example.com/")
        facts.etag = etag
        return ResumePoint(
            offset: offset, fence: 2, instance: "here", facts: facts, total: 9, restarts: 1,
            now: now)
    }

    private static func data(
        _ members: String = "", _ point: ResumePoint?, secrets: RequestSecrets = RequestSecrets()
    ) throws -> ResumeData? {
        let text = "{\"url\":\"https://example.com/a\"\(members)}"
        let request = try DownloadRequest.parse(try JSON.parse(Array(text.utf8))).get()
        let download = Download(
            id: id, request: request,
            spec: DownloadSpec(
                request, session: SessionConfiguration(), sessionVersion: 1, defaults: .standard),
            createdAt: now)
        return ResumeData(
            download, point, secrets: BoundSecrets(secrets, for: download.url),
            expiresAt: now + .seconds(60))
    }

    @Test func readsWhatItWrote() throws {
        let digest = "md5:" + String(repeating: "0", count: 32)
        let members = """
            ,"urls":["https://b.example/a"],"expected_digest":"\(digest)",
            "count_of_bytes_client_expects_to_receive":9,"filename":"a b.iso"
            """
        let data = try #require(try Self.data(members, Self.point()))
        let again = try #require(ResumeData(plain: data.plain))
        #expect(again.members == data.members && again.point == data.point)
        #expect(again.expiresAt == data.expiresAt)
        #expect(again.point.source == Self.id && again.point.offset == 5)
        #expect(
            again.members == [
                "url": "https://example.com/a", "urls": ["https://b.example/a"],
                "expected_digest": .string(digest),
                "count_of_bytes_client_expects_to_receive": 9, "filename": "a b.iso",
            ])
    }

    @Test func isOfWhatCanBeGoneOnWith() throws {
        let digest = ",\"expected_digest\":\"md5:\(String(repeating: "0", count: 32))\""
        #expect(try Self.data(Self.point()) != nil)
        #expect(try Self.data(nil) == nil)
        #expect(try Self.data(Self.point(offset: 0)) == nil)
        #expect(try Self.data(Self.point(etag: nil)) == nil)
        #expect(try Self.data(digest, Self.point(etag: nil)) != nil)
        #expect(try Self.data(",\"method\":\"POST\"", Self.point()) == nil)
        var void = Self.point()
        void.void = "other bytes"
        #expect(try Self.data(void) == nil)
    }

    private static func data(_ point: ResumePoint?) throws -> ResumeData? {
        try data("", point)
    }

    @Test func changedBytesAreRefusedOrRead() throws {
        var random = SeededRandom(seed: 13)
        let plain = try #require(try Self.data(Self.point())).plain
        for _ in 0..<2_000 {
            var bytes = plain
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(place...)
                default: bytes.insert(UInt8.random(in: 32..<127, using: &random), at: place)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            if let data = ResumeData(plain: bytes) { #expect(data.point.offset >= Int64.min) }
        }
        #expect(ResumeData.sealed(in: "rd_") == [])
        for text in ["", "rd", "rx_AA==", "rd_A", "rd_!!!!"] {
            #expect(ResumeData.sealed(in: text) == nil, "\(text)")
        }
        #expect(ResumeData.sealed(in: ResumeData.text(of: [1, 2, 3])) == [1, 2, 3])
    }

    /// A row that began from zero, with another version or another file, does not stand for the
    /// bytes.
    @Test func aPointCoversWhatIsOfTheSameFileAndVersion() {
        let point = Self.point()
        #expect(point.covers(point) && Self.point(offset: 6).covers(point))
        #expect(!Self.point(offset: 4).covers(point) && !Self.point(etag: "\"b\"").covers(point))
        let changes: [(inout ResumePoint) -> Void] = [
            { $0.fence = 3 }, { $0.instance = "there" }, { $0.restarts = 2 }, { $0.void = "x" },
        ]
        for change in changes {
            var other = point
            change(&other)
            #expect(!other.covers(point))
        }
    }
}
