// Files that waited for stores on a replica that is gone.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Support
import Testing

@Suite struct RefetchTests {
    private static let endpoint = "http://127.0.0.1:9"

    /// A download whose file waits in a data directory, with an upload that was begun.
    private static func waiting(
        _ lab: StoreLab, _ ledger: Ledger, at instance: Identifier, isStore: Bool
    ) async throws -> Identifier {
        let id = try await lab.submit(
            1, ["destination": ["url": .string(endpoint + "/in")]])[0]
        if isStore {
            _ = try await lab.pool.query(
                """
                UPDATE download_requests SET spec = (spec - 'relay') || jsonb_build_object(
                    'destination', jsonb_build_object(
                        'name', 'cold', 'on_conflict', 'fail', 'store', $2::text))
                WHERE id = $1
                """, [id, endpoint])
        }
        let claim = try #require(try await lab.claim(ledger).first)
        var run = lab.end(claim, .received)
        var point = ResumePoint(
            mismatches: 0, fence: claim.fence, instance: instance.hexadecimal)
        (point.offset, point.total, point.whole) = (9, 9, true)
        (point.sha256, point.received) = ("00", ReceivedFile())
        point.upload = StoredUpload(
            store: instance, key: "k", path: "k", id: "u1", partBytes: 1,
            instance: instance.hexadecimal, sha256: "00")
        run.resume = point
        run.download.holder = point.holder
        run.nextOrigin = endpoint
        run.nextLane = RunRecord.NextLane(of: run.download, in: .none)
        #expect(try await ledger.finish([run]) == [id])
        return id
    }

    @Test func aFileForAStoreIsFetchedAgainAndItsUploadIsRemembered() async throws {
        try await StoreLab.with { lab in
            let (gone, other) = (StoreLab.identifier(), StoreLab.identifier())
            let ledger = try await lab.register(instance: gone)
            let id = try await Self.waiting(lab, ledger, at: gone, isStore: true)
            #expect(try await lab.find(id)?.download.isSending == true)
            #expect(try await lab.downloads.contents.namedUploads(among: ["u1", "u2"]) == ["u1"])

            #expect(try await lab.downloads.refetchReceived(from: other, limit: 9) == 0)
            #expect(try await lab.downloads.refetchReceived(from: gone, limit: 9) == 1)
            #expect(try await lab.downloads.refetchReceived(from: gone, limit: 9) == 0)

            let stranger = try await lab.register(instance: other)
            let claim = try #require(try await lab.claim(stranger).first)
            #expect(!claim.isSending && claim.download.url == StoreLab.origin + "/file")
            #expect(claim.resume?.upload?.id == "u1" && claim.resume?.offset == 0)
            #expect(try await lab.downloads.contents.namedUploads(among: ["u1"]) == ["u1"])
        }
    }

    @Test func aFileForAReceiverWaitsOn() async throws {
        try await StoreLab.with { lab in
            let gone = StoreLab.identifier()
            let ledger = try await lab.register(instance: gone)
            let id = try await Self.waiting(lab, ledger, at: gone, isStore: false)
            #expect(try await lab.downloads.refetchReceived(from: gone, limit: 9) == 0)
            #expect(try await lab.find(id)?.download.isSending == true)
        }
    }
}
