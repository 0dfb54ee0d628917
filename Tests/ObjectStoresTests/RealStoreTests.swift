// The operations against stores that we did not write.
internal import Base
internal import Crypto
internal import Downloads
internal import ObjectStores
internal import Support
internal import Testing
internal import Transfers

@Suite struct RealStoreTests {
    @Test(arguments: [StoreLocation.Checksum.sha256, .crc64nvme, .none])
    func seaweedDoesEveryOperation(_ checksum: StoreLocation.Checksum) async throws {
        try await StoreLab.with(.weed, { $0.checksum = checksum }) { lab in
            try await everyOperation(lab)
            let tag = try #require(try await lab.put("c", [1], if: .absent).tag)
            #expect(try await conflicts(lab, .absent))
            #expect(try await conflicts(lab, .unchanged(tag: "\"0123\"")))
            _ = try await lab.put("c", [2], if: .unchanged(tag: tag))
            #expect(try await lab.read("c") == [2])
        }
    }

    /// It keeps metadata, and takes parts; conditions of writes it does not know.
    @Test func rcloneTakesObjectsAndIgnoresConditions() async throws {
        try await StoreLab.with(.rclone, { $0.checksum = .none }) { lab in
            try await everyOperation(lab)
            _ = try await lab.put("c", [1], if: .absent)
            #expect(try await conflicts(lab, .absent) == false)
        }
    }

    private func conflicts(_ lab: StoreLab, _ condition: WriteCondition) async throws -> Bool {
        do throws(StoreFailure) {
            _ = try await lab.put("c", [9], if: condition)
            return false
        } catch {
            #expect(error.kind == .conflict)
            return true
        }
    }

    private func everyOperation(_ lab: StoreLab) async throws {
        let words = Array("the quick brown fox".utf8)
        for path in ["plain", "a b/ü+=&%25"] {
            let key = lab.store.location.key(for: path)
            let facts = try await lab.put(path, words)
            let found = try await lab.store.head(key, lab.call)
            #expect(found?.length == 19 && found?.download == "dl_1")
            #expect(found?.tag == facts.tag && found?.sha256 == facts.sha256)
            #expect(try await lab.read(path) == words)
            #expect(try await lab.read(path, 4...8) == Array("quick".utf8))
            let url = try lab.store.presigned(key, disposition: "attachment", type: "text/plain")
            #expect(try await lab.get(url).buffer == words)
            try await lab.store.remove(key, lab.call)
            #expect(try await lab.store.head(key, lab.call) == nil)
        }
        _ = try await lab.put("empty", [])
        #expect(
            try await lab.store.head(lab.store.location.key(for: "empty"), lab.call)?.length == 0)
        try await parts(lab)
    }

    private func parts(_ lab: StoreLab) async throws {
        let pieces = [[UInt8](repeating: 1, count: 5 << 20), Array("end".utf8)]
        let object = lab.object("big/ü", pieces.flatMap { $0 })
        let upload = try await lab.store.beginUpload(object, lab.call)
        for (place, piece) in pieces.enumerated() {
            _ = try await lab.store.putPart(
                place + 1, of: upload, StoreLab.body(piece), lab.call)
        }
        var parts = try await lab.store.parts(of: upload, lab.call)
        if lab.store.location.checksum == .sha256 {
            for (place, piece) in pieces.enumerated() where parts[place].checksum == nil {
                parts[place].checksum = Base64.encode(SHA256.digest(of: piece))
            }
        }
        #expect(parts.map(\.length) == pieces.map { Int64($0.count) })
        let listed = try await lab.store.uploads(after: nil, lab.call)
        #expect(listed.uploads.map(\.name) == [upload])
        var whole: UInt64?
        if lab.store.location.checksum == .crc64nvme {
            whole = StoreLab.body(pieces.flatMap { $0 }).crc64
        }
        _ = try await lab.store.complete(upload, parts, crc64: whole, if: .always, lab.call)
        let found = try await lab.store.head(object.key, lab.call)
        #expect(found?.length == Int64(5 << 20) + 3 && found?.download == "dl_1")
        #expect(try await lab.read("big/ü", (5 << 20)...(5 << 20) + 2) == Array("end".utf8))
        let second = try await lab.store.beginUpload(object, lab.call)
        try await lab.store.abort(second, lab.call)
        let gone = try await lab.failure { () async throws(StoreFailure) in
            _ = try await lab.store.parts(of: second, lab.call)
        }
        #expect(gone.kind == .noUpload)
    }
}
