// Rows of uploads: the lane in which they receive their bytes, and the ways out of it.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Support
import Testing

@Suite struct UploadRowTests {
    private static let sha256 = String(repeating: "ab", count: 32)

    private static func file(_ id: Identifier, at instance: Identifier) -> StagedFile {
        StagedFile(id: id, instance: instance, sha256: sha256)
    }

    @Test func noLookMeetsARowThatReceives() async throws {
        try await StoreLab.with { lab in
            let own = StoreLab.identifier()
            let ledger = try await lab.register(instance: own)
            let first = try await lab.submitUpload(at: own)
            let second = try await lab.submitUpload(at: own)
            #expect(try await lab.state(of: first) == .receiving)
            for action in [DownloadAction.suspend, .resume, .suspend, .resume] {
                _ = try await lab.downloads.perform(action, on: first, app: 1)
                #expect(try await lab.heads(ledger).isEmpty, "\(action)")
                #expect(try await lab.claim(ledger).isEmpty, "\(action)")
            }
            #expect(try await lab.wrongLanes().isEmpty)
            let isLive = try await lab.pool.query(
                "SELECT lull_session_is_live(session_no) FROM queue WHERE id = $1", [first])[0]
            #expect(try isLive.get(0) == true)
            // A claim takes none, even where the lane is wrong.
            for table in ["lanes", "lane_groups"] {
                _ = try await lab.pool.query("UPDATE \(table) SET next_at = clock_timestamp()")
            }
            #expect(try await lab.claim(ledger).isEmpty)
            // One that leaves the lane does not make the others due.
            let uploads = Uploads(lab.downloads)
            #expect(try await uploads.stage(UploadRowTests.file(first, at: own)) == .staged)
            #expect(try await lab.claim(ledger).map(\.download.id) == [first])
            #expect(try await lab.state(of: second) == .receiving)
        }
    }

    @Test func aStagedFileIsClaimedByItsReplicaInTheLaneOfItsReceiver() async throws {
        try await StoreLab.with { lab in
            let (own, other) = (StoreLab.identifier(), StoreLab.identifier())
            let ledger = try await lab.register(instance: own)
            let id = try await lab.submitUpload(at: own)
            let uploads = Uploads(lab.downloads)
            #expect(try await uploads.row(of: id, app: 1)?.takesBytes == true)
            #expect(try await uploads.row(of: id, app: 2) == nil)
            #expect(try await uploads.stage(UploadRowTests.file(id, at: other)) == .gone)
            #expect(try await uploads.stage(UploadRowTests.file(id, at: own)) == .staged)
            #expect(try await uploads.stage(UploadRowTests.file(id, at: own)) == .alreadyStaged)
            var liar = UploadRowTests.file(id, at: own)
            liar.sha256 = String(repeating: "cd", count: 32)
            #expect(try await uploads.stage(liar) == .gone)
            let row = try #require(try await uploads.row(of: id, app: nil))
            #expect(!row.takesBytes && row.sha256 == UploadRowTests.sha256 && row.holder == own)
            #expect(row.expiresAt == nil && row.state == .waiting && row.length == 9)
            let stranger = try await lab.register(instance: other)
            #expect(try await lab.heads(stranger).isEmpty)
            let claim = try #require(try await lab.claim(ledger).first)
            #expect(claim.isSending && claim.address == StoreLab.receiver + "/in/file")
            #expect(claim.resume?.offset == 9 && claim.resume?.fence == 0)
            #expect(try await lab.events(of: id) == [.created, .received, .started])
        }
    }

    @Test func aSuspendedUploadIsStagedAndStaysSuspended() async throws {
        try await StoreLab.with { lab in
            let own = StoreLab.identifier()
            let ledger = try await lab.register(instance: own)
            let id = try await lab.submitUpload(at: own)
            _ = try await lab.downloads.perform(.suspend, on: id, app: 1)
            let uploads = Uploads(lab.downloads)
            #expect(try await uploads.row(of: id, app: 1)?.takesBytes == true)
            #expect(try await uploads.stage(UploadRowTests.file(id, at: own)) == .staged)
            #expect(try await lab.state(of: id) == .suspended)
            #expect(try await lab.claim(ledger).isEmpty)
            _ = try await lab.downloads.perform(.resume, on: id, app: 1)
            #expect(try await lab.claim(ledger).count == 1)
        }
    }

    @Test(arguments: [DownloadAction.cancel, .delete])
    func bytesOfAnUploadThatIsGoneAreRefused(_ action: DownloadAction) async throws {
        try await StoreLab.with { lab in
            let own = StoreLab.identifier()
            let id = try await lab.submitUpload(at: own)
            _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
            if action == .delete { _ = try await lab.downloads.perform(.delete, on: id, app: 1) }
            let uploads = Uploads(lab.downloads)
            #expect(try await uploads.stage(UploadRowTests.file(id, at: own)) == .gone)
            let row = try await uploads.row(of: id, app: 1)
            #expect(action == .delete ? row == nil : row?.takesBytes == false)
        }
    }

    @Test func theFirstReplicaThatIsAskedTakesAnUploadThatNoneHolds() async throws {
        try await StoreLab.with { lab in
            let (one, two) = (StoreLab.identifier(), StoreLab.identifier())
            let id = try await lab.submitUpload(at: nil)
            let uploads = Uploads(lab.downloads)
            #expect(try await uploads.row(of: id, app: 1)?.holder == nil)
            #expect(try await uploads.hold(id, in: one)?.holder == one)
            #expect(try await uploads.hold(id, in: two)?.holder == one)
            try await uploads.note(4, of: id, in: two)
            #expect(try await lab.find(id)?.download.bytesReceived == 0)
            try await uploads.note(4, of: id, in: one)
            #expect(try await lab.find(id)?.download.bytesReceived == 4)
        }
    }

    /// A lost file cannot be fetched again, so the client is asked, whether all of it was here or
    /// a part.
    @Test(arguments: [false, true])
    func aLostReplicaAsksTheClientWhoBringsTheFileElsewhere(_ isWhole: Bool) async throws {
        try await StoreLab.with { lab in
            let (own, other) = (StoreLab.identifier(), StoreLab.identifier())
            let id = try await lab.submitUpload(at: own)
            let uploads = Uploads(lab.downloads)
            if isWhole { _ = try await uploads.stage(UploadRowTests.file(id, at: own)) }
            #expect(try await uploads.lose(from: other, limit: 9) == 0)
            #expect(try await uploads.lose(from: own, limit: 9) == 1)
            let asked = try #require(try await lab.find(id)).download
            #expect(asked.state == .attentionRequired && asked.result.error?.code == .contentLost)
            #expect(try await uploads.row(of: id, app: 1)?.takesBytes == false)
            _ = try await lab.downloads.perform(.resume, on: id, app: 1)
            #expect(try await lab.state(of: id) == .receiving)
            #expect(try await uploads.hold(id, in: other)?.holder == other)
            #expect(try await uploads.stage(UploadRowTests.file(id, at: other)) == .staged)
            let ledger = try await lab.register(instance: other)
            #expect(try await lab.claim(ledger).map(\.download.id) == [id])
        }
    }

    @Test func bytesThatDoNotComeInTimeEndTheUploadAndARetryBeginsAgain() async throws {
        try await StoreLab.with { lab in
            let own = StoreLab.identifier()
            let late = try await lab.submitUpload(at: own, ["content_retention": 60])
            let staged = try await lab.submitUpload(at: own, ["content_retention": 60])
            let young = try await lab.submitUpload(at: own)
            let uploads = Uploads(lab.downloads)
            _ = try await uploads.stage(UploadRowTests.file(staged, at: own))
            _ = try await lab.pool.query(
                "UPDATE queue SET state_since = state_since - interval '61 seconds'")
            #expect(try await uploads.expire(limit: 9) == [late])
            let ended = try #require(try await lab.find(late)).download
            #expect(ended.state == .failed && ended.result.error?.code == .contentExpired)
            #expect(try await lab.state(of: young) == .receiving)
            #expect(try await lab.state(of: staged) == .waiting)
            _ = try await lab.downloads.perform(.retry, on: late, app: 1)
            #expect(try await lab.state(of: late) == .receiving)
            #expect(try await uploads.row(of: late, app: 1)?.holder == nil)
        }
    }

    @Test func listsAndBulkFiltersHaveOneKindOrBothInASession() async throws {
        try await StoreLab.with { lab in
            let own = StoreLab.identifier()
            var (ups, downs): (Set<Identifier>, Set<Identifier>) = ([], [])
            for _ in 0..<3 {
                ups.insert(try await lab.submitUpload(at: own))
                downs.formUnion(try await lab.submit(1))
            }
            for states in [[], [DownloadState.receiving, .waiting], [.receiving, .succeeded]] {
                for session in [nil, "default"] {
                    for order in [DownloadOrder.newestFirst, .oldestFirst] {
                        var filter = DownloadFilter()
                        (filter.states, filter.session) = (Set(states), session)
                        filter.isOfUploads = true
                        let found = try await Self.all(lab, filter, order)
                        #expect(Set(found) == ups && found.count == 3, "\(filter) \(order)")
                        filter.isOfUploads = false
                        let waiting = states.isEmpty || states.contains(.waiting)
                        let others = try await Self.all(lab, filter, order)
                        #expect(Set(others) == (waiting ? downs : []), "\(filter) \(order)")
                    }
                }
            }
            var both = DownloadFilter()
            (both.session, both.isOfUploads) = ("default", nil)
            #expect(try await Self.all(lab, both, .oldestFirst).count == 6)
        }
    }

    /// All pages of a list, one row a page.
    private static func all(
        _ lab: StoreLab, _ filter: DownloadFilter, _ order: DownloadOrder
    ) async throws -> [Identifier] {
        var (found, last): ([Identifier], Identifier?) = ([], nil)
        for _ in 0..<20 {
            let page = try await lab.downloads.list(
                app: 1, filter, order: order, after: last, limit: 1)
            guard let next = page.records.last?.download.id else { break }
            found.append(next)
            last = next
        }
        return found
    }

    @Test func heldContentIsTheSourceOfAnUploadAtItsReplica() async throws {
        try await StoreLab.with { lab in
            let own = StoreLab.identifier()
            let ledger = try await lab.register(instance: own)
            let source = try await lab.submit(1)[0]
            let claim = try #require(try await lab.claim(ledger).first)
            var run = lab.end(claim, .succeeded)
            run.download.result.content?.sha256 = UploadRowTests.sha256
            #expect(try await ledger.finish([run]) == [source])
            let id = try await lab.submitUpload(at: own)
            let uploads = Uploads(lab.downloads)
            #expect(try await uploads.sourced(in: own, limit: 9).isEmpty)
            _ = try await lab.pool.query(
                """
                UPDATE download_requests
                SET spec = jsonb_set(spec, '{upload,source}', to_jsonb($2::text))
                WHERE id = $1
                """, [id, source.hexadecimal])
            #expect(try await uploads.sourced(in: StoreLab.identifier(), limit: 9).isEmpty)
            let found = try #require(try await uploads.sourced(in: own, limit: 9).first)
            #expect(found.id == id && found.source == source && found.length == 9)
            #expect(found.sourceFence == claim.fence)
        }
    }
}
