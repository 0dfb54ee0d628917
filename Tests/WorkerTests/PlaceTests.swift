// The worker over each place for content: it publishes, reads, shares, removes and sweeps through
// the seam alone.
import Base
import Content
import Downloads
import Places
import Platform
import Postgres
import Scheduling
import Store
import Support
import Testing
import Trees

@testable import Worker

@Suite struct PlaceTests {
    /// Runs a test with a replica whose content lies in a place of this kind.
    private func with(
        _ kind: TestedPlace, isRunning: Bool = true,
        change: @escaping (inout WorkerSettings) -> Void = { _ in },
        _ script: @escaping OriginServer.Script,
        _ test: (Replica, OriginServer) async throws -> Void
    ) async throws {
        let quick: (inout WorkerSettings) -> Void = {
            $0.publishPause = .milliseconds(10)
            $0.retentionInterval = .milliseconds(20)
            $0.missingGrace = .milliseconds(10)
            $0.missingInterval = .milliseconds(50)
            change(&$0)
        }
        try await Replica.with(place: kind, change: quick, script, isRunning: isRunning, test)
    }

    /// A body in memory, one in a file, and one of several pieces.
    @Test(arguments: TestedPlace.allCases, [0, 100, 700_000])
    func contentLiesInThePlace(_ kind: TestedPlace, _ count: Int) async throws {
        let bytes = content(count)
        try await with(kind, { _ in Answer.whole(bytes) }) { replica, origin in
            let id = try await replica.submit(origin.url("/a"))
            let record = try await replica.reached(.succeeded, id)
            #expect(try await replica.lab.read(record) == bytes)
            #expect(record.download.attempt == 1)
            let instance = try await replica.pool.query("SELECT instance FROM contents")[0]
                .get(0, as: UUIDValue.self).identifier
            #expect(instance == replica.lab.place.identifier)
            #expect(
                try replica.lab.files().count == (kind == .folder ? 1 : 0),
                "the data directory has no more than the place")
        }
    }

    /// The messages of a publication, with each fate.
    private static let fates: [(ObjectStore.Message, ObjectStore.Fault)] = [
        (.append, .requestLost), (.append, .answerLost), (.append, .damaged),
        (.complete, .requestLost), (.complete, .answerLost), (.look, .requestLost),
    ]

    @Test(arguments: 0..<fates.count)
    func aPublicationWithoutAnAnswerIsAskedAgain(_ fate: Int) async throws {
        let bytes = content(300_000)
        try await with(.objects, { _ in Answer.whole(bytes) }) { replica, origin in
            let (message, fault) = Self.fates[fate]
            await replica.lab.objects.fail(message, fault)
            let id = try await replica.submit(origin.url("/a"))
            let record = try await replica.reached(.succeeded, id)
            #expect(try await replica.lab.read(record) == bytes)
            #expect(record.download.attempt == 1 && origin.requests.count == 1)
            #expect(try replica.lab.files().isEmpty)
        }
    }

    /// Another download ends meanwhile.
    @Test func aPlaceThatIsSilentForLongCostsNoSecondTransfer() async throws {
        let bytes = content(300_000)
        try await with(
            .objects, change: { $0.publishCallsAtMost = 3 }, { _ in Answer.whole(bytes) }
        ) {
            replica, origin in
            for _ in 0..<4 { await replica.lab.objects.fail(.append, .requestLost) }
            let id = try await replica.submit(origin.url("/a"))
            let record = try await replica.reached(.succeeded, id)
            #expect(try await replica.lab.read(record) == bytes)
            let tried = try await replica.attempts(id)
            #expect(tried.map { $0.detail["error"]?["code"] } == ["cannot_write_to_file", nil])
            #expect(origin.requests.count == 1, "the bytes are kept")
            #expect(try replica.lab.files().isEmpty)
        }
    }

    @Test(arguments: TestedPlace.allCases)
    func contentWhoseTimeIsOverLeavesThePlace(_ kind: TestedPlace) async throws {
        try await with(kind, { _ in Answer.whole(content(1000)) }) { replica, origin in
            let short = try await replica.submit(origin.url("/a"), ["content_retention": 1])
            let long = try await replica.submit(origin.url("/b"), ["content_retention": 1000])
            let kept = try await replica.reached(.succeeded, long)
            let gone = try await replica.reached(.succeeded, short)
            // The row is forgotten when the place says that the content is gone.
            #expect(
                try await eventually {
                    try await replica.number("SELECT count(*) FROM contents") == 1
                })
            #expect(try await replica.lab.read(gone) == nil)
            #expect(try await replica.lab.read(kept) == content(1000))
        }
    }

    @Test(arguments: TestedPlace.allCases)
    func joinedDownloadsGetNamesOfTheirOwn(_ kind: TestedPlace) async throws {
        let bytes = content(100_000)
        try await with(kind, isRunning: false, { _ in Answer.whole(bytes) }) { replica, origin in
            let flight = WorkerLab.identifier()
            var ids: [Identifier] = []
            for _ in 0..<3 {
                var new = try replica.draft(origin.url(), ["on_duplicate_url": "join"])
                new.flight = flight
                _ = try await replica.intake.submit(new)
                ids.append(new.download.id)
            }
            try await replica.works {
                for id in ids {
                    let record = try await replica.reached(.succeeded, id)
                    #expect(try await replica.lab.read(record) == bytes)
                }
                #expect(origin.requests.count == 1)
            }
        }
    }

    @Test(arguments: TestedPlace.allCases)
    func contentThatThePlaceDoesNotHaveIsLost(_ kind: TestedPlace) async throws {
        try await with(kind, { _ in Answer.whole(content(1000)) }) { replica, origin in
            var records: [DownloadRecord] = []
            for name in ["a", "b", "c"] {
                let id = try await replica.submit(origin.url("/" + name))
                records.append(try await replica.reached(.succeeded, id))
            }
            let name = try replica.lab.name(records[0])
            while await replica.lab.place.remove([name]) != [.gone] {}
            replica.worker.missed(records[0].download.id, fence: name.fence)
            let ids = records.map(\.download.id)
            #expect(
                try await eventually {
                    try await ids.asyncMap {
                        try await replica.find($0).download.result.content?.state
                    } == [.lost, .held, .held]
                })
        }
    }

    @Test(arguments: TestedPlace.allCases)
    func contentThatNoRowNamesRestsAndComesBack(_ kind: TestedPlace) async throws {
        try await with(kind, { _ in Answer.whole(content(1000)) }) { replica, origin in
            let id = try await replica.submit(origin.url("/a"))
            let record = try await replica.reached(.succeeded, id)
            try await name(1, later: id, replica)
            await FileSweep.sweep(replica.worker)
            #expect(try await replica.lab.read(record) == nil)
            #expect(replica.worker.gauge.quarantine == DiskGauge.Quarantine(files: 1, bytes: 1000))
            try await name(-1, later: id, replica)
            await FileSweep.sweep(replica.worker)
            #expect(try await replica.lab.read(record) == content(1000))
            #expect(replica.worker.gauge.quarantine == DiskGauge.Quarantine())
        }
    }

    /// Makes the rows of a download name content whose fence is larger by this number.
    private func name(_ fences: Int, later id: Identifier, _ replica: Replica) async throws {
        for change in [
            "download_results SET content_fence = content_fence", "contents SET fence = fence",
        ] {
            _ = try await replica.pool.query(
                "UPDATE \(change) + $2 WHERE id = $1", [UUIDValue(id), Int64(fences)])
        }
    }

    /// Unfinished files lie in the data directory, whatever the place of content is.
    @Test(arguments: TestedPlace.allCases)
    func partsThatNoRowNeedsAreSwept(_ kind: TestedPlace) async throws {
        try await with(kind, isRunning: false, { _ in [] }) { replica, _ in
            let id = try await replica.submit("http://127.0.0.1:1/")
            _ = try await replica.pool.query("UPDATE queue SET fence = 3")
            for fence in [2, 3] as [Int64] {
                try replica.lab.store.create(ContentName(download: id, fence: fence))
                    .write(content(10), at: 0)
            }
            await FileSweep.sweep(replica.worker)
            #expect(try replica.lab.files() == ["\(id.hexadecimal).3.part"])
        }
    }

    @Test(arguments: TestedPlace.allCases)
    func contentOfARefusedEndIsRemoved(_ kind: TestedPlace) async throws {
        try await with(kind, isRunning: false, { _ in [] }) { replica, origin in
            _ = try await replica.submit(origin.url())
            let heads = try await replica.ledger.lanes().page.heads
            let claim = try #require(
                await replica.ledger.claim(
                    ClaimOrder(heads.map { LaneQuota(head: $0, count: 1) }, total: 1),
                    limits: PolicyLimits(running: 9, perOrigin: 9, perSession: 9)
                ).runs.first)
            try await replica.ledger.unregister()
            let attempt = replica.lab.attempt(claim)
            let file = try replica.lab.store.create(attempt.writer.name)
            try file.write([1, 2, 3], at: 0)
            var run = RunRecord(
                claim, outcome: .succeeded, event: .succeeded, at: claim.claimedAt)
            run.download.state = .succeeded
            await replica.worker.recorder.record(
                PendingRecord(
                    finished: run,
                    body: CompleteBody(
                        file: CompletedPart(part: file, length: 3), sha256: sha256([1, 2, 3]),
                        isLengthVerified: true, head: nil),
                    attempt: attempt, ledger: replica.ledger, hasWebhook: false))
            #expect(try replica.lab.files().isEmpty)
            #expect(try await replica.lab.place.list(.current, after: nil).files.isEmpty)
        }
    }

    /// A place that all replicas read has no replica of its own.
    @Test func aSharedPlaceIsNotTakenForAGoneReplica() async throws {
        let soon: (inout WorkerSettings) -> Void = { $0.goneAfter = .milliseconds(10) }
        try await with(.objects, change: soon, { _ in Answer.whole(content(1000)) }) {
            replica, origin in
            let id = try await replica.submit(origin.url("/a"))
            _ = try await replica.reached(.succeeded, id)
            await FileSweep.sweep(replica.worker)
            _ = try await replica.pool.query(
                "UPDATE instances SET last_seen_at = last_seen_at - interval '1 day'")
            _ = try await replica.worker.lookForGoneReplicas()
            #expect(try await replica.find(id).download.result.content?.state == .held)
        }
    }
}

extension DownloadWorker {
    /// One turn of the duty.
    fileprivate func lookForGoneReplicas() async throws -> NextTurn {
        try await GoneReplicaCheck().turn(self)
    }
}

extension WorkerLab {
    /// The name of a download's content.
    func name(_ record: DownloadRecord) throws -> ContentName {
        ContentName(download: record.download.id, fence: try #require(record.contentFence))
    }

    /// The bytes of a download's content in its place; nil if the place does not have it.
    func read(_ record: DownloadRecord) async throws -> [UInt8]? {
        let name = try name(record)
        do throws(PlaceError) {
            switch try await place.open(name, ReadingWish()) {
            case .file(let file):
                return PositionedRead.bytes(
                    of: file.descriptor.rawValue, at: 0, count: Int(file.length))
            case .chunks(let chunks):
                var bytes: [UInt8] = []
                while let piece = try await chunks.next() { bytes += piece }
                return bytes
            case .redirect: return nil
            }
        } catch {
            guard error.code == .missing else { throw error }
            return nil
        }
    }
}
