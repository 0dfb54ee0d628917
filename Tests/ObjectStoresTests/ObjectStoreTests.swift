// The operations against a store that checks everything.
internal import Base
internal import Crypto
internal import Downloads
internal import ObjectStores
internal import Support
internal import Testing
internal import Transfers

@Suite struct ObjectStoreTests {
    static let words = Array("the quick brown fox".utf8)

    @Test(arguments: ["plain", "a b/+=&%25/ü😀//x", "tilde~'()*!/[a]?#;:@$,", ".hidden/x."])
    func anObjectIsWrittenAndReadUnderAnyKey(_ path: String) async throws {
        try await StoreLab.with(.strict([])) { lab in
            let facts = try await lab.put(path, Self.words, if: .absent)
            let key = lab.store.location.key(for: path)
            let found = try await lab.store.head(key, lab.call)
            #expect(found == facts)
            #expect(found?.download == "dl_1")
            #expect(found?.sha256 == Hex.encode(SHA256.digest(of: Self.words)))
            #expect(try await lab.read(path) == Self.words)
            #expect(try await lab.read(path, 4...8, tag: facts.tag) == Array("quick".utf8))
            let stored = try await lab.look("/_objects")["bucket/\(key)"]
            #expect(stored?["type"] == "text/plain")
            #expect(stored?["disposition"] == "attachment; filename*=UTF-8''a%20b")
            try await lab.store.remove(key, lab.call)
            try await lab.store.remove(key, lab.call)
            #expect(try await lab.store.head(key, lab.call) == nil)
        }
    }

    @Test(arguments: StoreLocation.Checksum.allCases)
    func objectsOfAnySizeHaveTheirChecksum(_ checksum: StoreLocation.Checksum) async throws {
        try await StoreLab.with(.strict([]), { $0.checksum = checksum }) { lab in
            for size in [0, 1, 100_000] {
                let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 * 7) }
                #expect(try await lab.put("a\(size)", bytes).length == Int64(size))
                #expect(try await lab.read("a\(size)") == bytes)
            }
            // Above this size the store is asked for its consent before the body is sent.
            let large = [UInt8](repeating: 5, count: checksum == .crc64nvme ? 1 : 2 << 20)
            _ = try await lab.put("large", large)
            #expect(try await lab.read("large") == large)
        }
    }

    @Test(arguments: StoreLocation.Checksum.allCases)
    func anObjectIsMadeOfParts(_ checksum: StoreLocation.Checksum) async throws {
        let pieces = [[UInt8](repeating: 1, count: 5000), [UInt8](repeating: 2, count: 5000), [3]]
        let whole = pieces.flatMap { $0 }
        try await StoreLab.with(
            .strict(["--min-part", "5000", "--page", "2"]), { $0.checksum = checksum }
        ) { lab in
            let object = lab.object("parts/ü", whole)
            let upload = try await lab.store.beginUpload(object, lab.call)
            #expect(try await lab.store.parts(of: upload, lab.call) == [])
            for (place, piece) in pieces.enumerated().reversed() {
                let part = try await lab.store.putPart(
                    place + 1, of: upload, StoreLab.body(piece), lab.call)
                #expect((part.checksum == nil) == (checksum == .none))
            }
            let parts = try await lab.store.parts(of: upload, lab.call)
            #expect(parts.map(\.number) == [1, 2, 3])
            #expect(parts.map(\.length) == [5000, 5000, 1])
            #expect(parts.allSatisfy { ($0.checksum == nil) == (checksum == .none) })
            let facts = try await lab.store.complete(
                upload, parts, crc64: StoreLab.body(whole).crc64, if: .absent, lab.call)
            let found = try await lab.store.head(object.key, lab.call)
            #expect(found?.tag == facts.tag && found?.length == 10_001)
            #expect(found?.download == "dl_1")
            #expect(try await lab.read("parts/ü") == whole)
            let again = try await lab.failure { () async throws(StoreFailure) in
                _ = try await lab.store.parts(of: upload, lab.call)
            }
            #expect(again.kind == .noUpload)
        }
    }

    @Test func anAbortedUploadIsGone() async throws {
        try await StoreLab.with(.strict([])) { lab in
            let upload = try await lab.store.beginUpload(lab.object("a", [1]), lab.call)
            try await lab.store.abort(upload, lab.call)
            try await lab.store.abort(upload, lab.call)
            let failure = try await lab.failure { () async throws(StoreFailure) in
                _ = try await lab.store.putPart(
                    1, of: upload, StoreLab.body([1]), lab.call)
            }
            #expect(failure.kind == .noUpload)
            #expect(failure.code == "NoSuchUpload")
        }
    }

    @Test func uploadsUnderThePrefixAreListedPageByPage() async throws {
        try await StoreLab.with(.strict(["--page", "2"])) { lab in
            var other = lab.object("a", [1])
            other.key = "elsewhere/a"
            _ = try await lab.store.beginUpload(other, lab.call)
            var begun: [UploadName] = []
            for path in ["a+b c", "ü/&", "z", "z", "z"] {
                begun.append(try await lab.store.beginUpload(lab.object(path, [1]), lab.call))
            }
            var (found, cursor) = try await lab.store.uploads(after: nil, lab.call)
            while cursor != nil {
                let page = try await lab.store.uploads(after: cursor, lab.call)
                found += page.uploads
                cursor = page.next
            }
            #expect(Set(found.map(\.name.id)) == Set(begun.map(\.id)))
            #expect(found.count == 5)
            #expect(Set(found.map(\.name.key)) == Set(begun.map(\.key)))
            #expect(found.allSatisfy { $0.begunAt > 1_700_000_000 })
        }
    }

    @Test func conditionsOfWritesHold() async throws {
        try await StoreLab.with(.strict([])) { lab in
            func conflict(_ condition: WriteCondition) async throws -> StoreFailure.Kind {
                try await lab.failure { () async throws(StoreFailure) in
                    _ = try await lab.put("a", [9], if: condition)
                }.kind
            }
            // An object that must be there and is not is a conflict, too.
            #expect(try await conflict(.unchanged(tag: "\"x\"")) == .conflict)
            let first = try await lab.put("a", [1], if: .absent)
            #expect(try await conflict(.absent) == .conflict)
            #expect(try await conflict(.unchanged(tag: "\"x\"")) == .conflict)
            let tag = try #require(first.tag)
            let second = try await lab.put("a", [2], if: .unchanged(tag: tag))
            #expect(second.tag != first.tag)
            let reading = try await lab.failure { () async throws(StoreFailure) in
                _ = try await lab.read("a", tag: tag)
            }
            #expect(reading.kind == .conflict)
            let missing = try await lab.failure { () async throws(StoreFailure) in
                _ = try await lab.read("b")
            }
            #expect(missing.kind == .missing)
            #expect(try await lab.read("a") == [2])
        }
    }

    @Test func aPresignedURLIsReadWithoutKeys() async throws {
        try await StoreLab.with(.strict([])) { lab in
            let path = "a b/ü+&=//x"
            _ = try await lab.put(path, Self.words)
            let url = try lab.store.presigned(
                lab.store.location.key(for: path), disposition: "attachment; filename=\"ä b\"",
                type: "text/x y")
            let answer = try await lab.get(url)
            #expect(answer.head?.status == 200)
            #expect(answer.buffer == Self.words)
            #expect(answer.head?.contentType == "text/x y")
            let changed = try await lab.get(url.replacing("Expires=300", with: "Expires=301"))
            #expect(changed.head?.status == 403)
        }
    }

    @Test func aPresignedURLIsAtThePublicEndpoint() async throws {
        let root = try SourceURL(parsing: "https://files.example")
        try await StoreLab.with(
            .strict([]),
            {
                $0.publicEndpoint = root
                $0.addressing = .virtual
            }
        ) { lab in
            let url = try lab.store.presigned("k/ü", disposition: "inline", type: "a/b")
            #expect(url.hasPrefix("https://bucket.files.example/k/%C3%BC?"))
        }
    }

    @Test func identifiersFollowFromNameAndApp() async throws {
        try await StoreLab.with(.strict([])) { lab in
            func identifier(_ name: String, _ app: String?) -> Identifier {
                ObjectStore(
                    name, app: app, lab.store.location, over: lab.engine, environment: [:]
                ) { Timestamp.epoch }.identifier
            }
            #expect(identifier("cold", nil) == lab.store.identifier)
            let all = [("cold", nil), ("colder", nil), ("cold", "a"), ("cold", "b")]
                .map { identifier($0.0, $0.1) }
            #expect(Set(all).count == 4)
        }
    }
}
