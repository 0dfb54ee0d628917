// Bytes of failed downloads: kept for a retry, and removed when no client may ask for them.
import Base
import Content
import Downloads
import Postgres
import Scheduling
import Store
import Support
import Synchronization
import Testing
import Trees

@testable import Worker

@Suite struct KeptBytesTests {
    private static let bytes = content(9000)
    private static let rows = "SELECT count(*) FROM kept_parts"

    /// Breaks off after 4000 bytes, refuses the first request for the rest, and answers the next
    /// one; `/ok` has the whole file, `/slow` refuses nothing, and `/gone` does not exist.
    private static func script() -> OriginServer.Script {
        let refused = Mutex<Set<String>>([])
        return { request in
            let target = request.target
            if target.hasPrefix("/gone") { return Answer.status("404 N") }
            guard let start = request.rangeStart else {
                return Answer.whole(bytes, cutAfter: target.hasPrefix("/ok") ? nil : 4000)
            }
            let isFirst = refused.withLock { $0.insert(target).inserted }
            return isFirst && !target.hasPrefix("/ok") && target != "/slow"
                ? Answer.status("501 N") : Answer.part(bytes, from: start)
        }
    }

    private static func once(_ settings: inout WorkerSettings) {
        settings.retries.maximumAttempts = 1
        settings.retentionInterval = .milliseconds(2)
    }

    /// A download that has failed with 4000 bytes.
    private func failed(
        _ replica: Replica, _ url: String, _ members: JSONObject = JSONObject()
    ) async throws -> Identifier {
        let id = try await replica.submit(url, members)
        let record = try await replica.reached(.failed, id)
        #expect(record.download.bytesReceived == 4000)
        return id
    }

    @Test func aRetryAsksForTheRest() async throws {
        try await Replica.with(change: Self.once, Self.script()) { replica, origin in
            let id = try await failed(replica, origin.url("/a"))
            #expect(try await replica.number(Self.rows) == 1)
            #expect(try replica.lab.files() == ["\(id.hexadecimal).3.part"])
            #expect(try await replica.perform(.retry, id) == .waiting)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == Self.bytes)
            #expect(origin.requests.map(\.rangeStart) == [nil, 4000, 4000])
            #expect(origin.requests.last?["if-range"] == "\"v1\"")
            #expect(try await replica.number(Self.rows) == 0)
        }
    }

    @Test func aRetryAfterAPatchOfURLAsksForTheRest() async throws {
        try await Replica.with(change: Self.once, Self.script()) { replica, origin in
            let id = try await failed(replica, origin.url("/a"))
            try await replica.patch(id, ["url": .string(origin.url("/ok"))])
            #expect(try await replica.perform(.retry, id) == .waiting)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == Self.bytes)
            #expect(origin.requests.map(\.target) == ["/a", "/a", "/ok"])
            #expect(origin.requests.last?.rangeStart == 4000)
        }
    }

    @Test func aRetryOnAnotherReplicaBeginsAtTheStart() async throws {
        try await Replica.with(change: Self.once, Self.script()) { replica, origin in
            let id = try await failed(replica, origin.url("/a"))
            _ = try await replica.pool.query(
                """
                UPDATE kept_parts SET instance = gen_random_uuid(),
                    resume = resume || '{"instance": "00000000000000000000000000000000"}'
                """)
            try await replica.patch(id, ["url": .string(origin.url("/ok"))])
            #expect(try await replica.perform(.retry, id) == .waiting)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == Self.bytes)
            #expect(origin.requests.map(\.rangeStart) == [nil, 4000, nil])
        }
    }

    @Test func aDownloadWhoseTimeIsOverWhileItWaitsKeepsItsBytes() async throws {
        let patient: (inout WorkerSettings) -> Void = {
            // A wait is a random part of its length: even the shortest does not end here.
            $0.retries = RetrySchedule(
                base: .seconds(10_000_000), cap: .seconds(10_000_000), maximumAttempts: 3)
        }
        try await Replica.with(change: patient, Self.script()) { replica, origin in
            let id = try await replica.submit(origin.url("/slow"))
            _ = try await replica.reached(.waiting, id, attempt: 1)
            _ = try await replica.pool.query(
                "UPDATE queue SET deadline = clock_timestamp() WHERE id = $1", [id])
            replica.worker.deadlineSet()
            let record = try await replica.reached(.failed, id)
            #expect(record.download.result.error?.code == .timedOut)
            #expect(try await replica.number(Self.rows) == 1)
            #expect(try await replica.perform(.retry, id) == .waiting)
            _ = try await replica.reached(.succeeded, id)
            #expect(origin.requests.last?.rangeStart == 4000)
        }
    }

    @Test func bytesGoWhenTheirTimeIsOver() async throws {
        try await Replica.with(change: Self.once, Self.script()) { replica, origin in
            let id = try await failed(replica, origin.url("/a"), ["content_retention": 1])
            let other = try await failed(replica, origin.url("/b"))
            #expect(try await eventually { try replica.lab.files().count == 1 })
            #expect(try replica.lab.files() == ["\(other.hexadecimal).3.part"])
            #expect(try await replica.number(Self.rows) == 1)
            #expect(try await replica.perform(.retry, id) == .waiting)
            _ = try await replica.reached(.succeeded, id)
            let own = origin.requests.filter { $0.target == "/a" }
            #expect(own.map(\.rangeStart) == [nil, 4000, nil, 4000])
        }
    }

    @Test func deleteFreesTheBytes() async throws {
        try await Replica.with(change: Self.once, Self.script()) { replica, origin in
            let id = try await failed(replica, origin.url("/a"))
            _ = try await replica.perform(.delete, id)
            #expect(try await eventually { try replica.lab.files().isEmpty })
            #expect(try await replica.number(Self.rows) == 0)
        }
    }

    @Test func theSweepLeavesTheBytes() async throws {
        try await Replica.with(change: Self.once, Self.script()) { replica, origin in
            let id = try await failed(replica, origin.url("/a"))
            await FileSweep.sweep(replica.worker)
            #expect(try replica.lab.files() == ["\(id.hexadecimal).3.part"])
        }
    }

    @Test func theOldestEndGoesFirstForRoom() async throws {
        try await Replica.with(change: Self.once, Self.script()) { replica, origin in
            var ids: [Identifier] = []
            for name in ["a", "b", "c"] {
                ids.append(try await failed(replica, origin.url("/" + name)))
            }
            _ = try await replica.pool.query(
                "UPDATE kept_parts SET ended_at = ended_at - interval '1 hour' WHERE id = $1",
                [UUIDValue(ids[1])])
            #expect(try await KeptPartExpiry.giveUp(room: 1, on: replica.worker) == 1)
            let left = try replica.lab.files()
            #expect(left == [ids[0], ids[2]].map { "\($0.hexadecimal).3.part" }.sorted())
            // The first of the remaining files is too small alone.
            #expect(try await KeptPartExpiry.giveUp(room: 4001, on: replica.worker) == 2)
            #expect(try replica.lab.files().isEmpty)
        }
    }

    /// The volume has no room while the reserve is larger than its free space.
    @Test func bytesGoWhileADownloadWaitsForRoom() async throws {
        try await Replica.with(change: Self.once, Self.script()) { replica, origin in
            _ = try await failed(replica, origin.url("/a"))
            var reading = try #require(replica.worker.gauge.reading)
            reading = DiskReading(
                free: reading.free, total: reading.total, reserve: reading.total + 1,
                trouble: nil)
            replica.worker.gauge.reading = reading
            try await replica.worker.giveUpParts()
            #expect(try replica.lab.files().isEmpty)
            #expect(try await replica.number(Self.rows) == 0)
        }
    }

    private func rests(_ replica: Replica) async throws -> Bool {
        try await eventually { await replica.worker.conductor.hasRestingLanes }
    }

    /// A claim passes by a download whose row is locked: its lane rests as one without room does.
    @Test func bytesStayWhileADownloadWaitsForSomethingElse() async throws {
        try await Replica.with(change: Self.once, Self.script()) { replica, origin in
            _ = try await failed(replica, origin.url("/a"))
            let files = try replica.lab.files()
            let later = replica.lab.clock.now + .seconds(2)
            let id = try await replica.submit(
                origin.url("/ok"),
                [
                    "count_of_bytes_client_expects_to_receive": 9000,
                    "earliest_begin_date": .string(later.rfc3339),
                ])
            try await replica.pool.transaction { transaction throws(PostgresError) in
                _ = try await transaction.query(
                    "SELECT 1 FROM queue WHERE id = $1 FOR UPDATE", [id])
                do {
                    #expect(try await rests(replica))
                    try await replica.worker.giveUpParts()
                    #expect(try replica.lab.files() == files)
                } catch {
                    Issue.record(error)
                }
            }
            _ = try await replica.reached(.succeeded, id)
        }
    }

    @Test func bytesStayIfAllOfThemWouldNotBeEnough() async throws {
        try await Replica.with(change: Self.once, Self.script()) { replica, origin in
            _ = try await failed(replica, origin.url("/a"))
            let files = try replica.lab.files()
            let total = try #require(replica.worker.gauge.reading).total
            let id = try await replica.submit(
                origin.url("/ok"), ["count_of_bytes_client_expects_to_receive": .integer(total)])
            #expect(try await rests(replica))
            try await replica.worker.giveUpParts()
            #expect(try replica.lab.files() == files)
            _ = try await replica.perform(.cancel, id)
        }
    }

    @Test func nothingIsKeptWhereTheBytesAreOfNoUse() async throws {
        try await Replica.with(change: Self.once, Self.script()) { replica, origin in
            let digest = "sha256:" + String(repeating: "0", count: 64)
            let wrong = try await replica.submit(
                origin.url("/ok"), ["expected_digest": .string(digest)])
            _ = try await replica.reached(.failed, wrong)
            let short = try await replica.submit(
                origin.url("/ok2"),
                [
                    "count_of_bytes_client_expects_to_receive": 5,
                    "require_expected_length": true,
                ])
            _ = try await replica.reached(.failed, short)
            let gone = try await replica.submit(origin.url("/gone"))
            _ = try await replica.reached(.failed, gone)
            #expect(try await replica.number(Self.rows) == 0)
            #expect(try await eventually { try replica.lab.files().isEmpty })
        }
    }
}
