// The whole worker: a real database, a real engine, real files, and an origin that a test scripts.
import Base
import Content
import Downloads
import Postgres
import Store
import Support
import Synchronization
import Testing
import Trees

@testable import Worker

@Suite struct DownloadWorkerTests {
    @Test func submittedDownloadIsFetched() async throws {
        let bytes = content(700_000)
        try await Replica.with({ _ in Answer.whole(bytes) }) { replica, origin in
            let ids = try await (0..<12).asyncMap { number in
                try await replica.submit(origin.url("/\(number)/data.bin"))
            }
            for id in ids {
                let record = try await replica.reached(.succeeded, id)
                #expect(try replica.file(record) == bytes)
                #expect(record.contentLength == Int64(bytes.count))
                let result = record.download.result
                #expect(result.content?.sha256 == sha256(bytes))
                #expect(result["content"]?["length_verified"] == true)
                #expect(result["response"]?["status_code"] == 200)
                #expect(record.download.attempt == 1)
                #expect(record.download.completedAt != nil)
            }
            #expect(try replica.lab.files().count == ids.count, "no part is left")
            #expect(try await replica.number("SELECT sum(running) FROM gates") == 0)
            #expect(try await replica.number("SELECT count(*) FROM events WHERE type = 9") == 12)
        }
    }

    @Test func suspendedDownloadResumes() async throws {
        let gate = OriginGate()
        let bytes = content(2_000_000)
        try await Replica.with({ request in
            if let start = request.rangeStart { return Answer.part(bytes, from: start) }
            let steps = Answer.whole(bytes, cutAfter: 900_000)
            return Array(steps.dropLast()) + [.wait(gate), .close]
        }) { replica, origin in
            defer { gate.open() }
            let id = try await replica.submit(origin.url())
            let isHalf = try await eventually {
                try await replica.find(id).download.bytesReceived == 900_000
            }
            #expect(isHalf)
            #expect(try await replica.find(id).download.bytesTotal == 2_000_000)
            #expect(try await replica.perform(.suspend, id) == .running)
            let suspended = try await replica.reached(.suspended, id)
            #expect(suspended.download.bytesReceived == 900_000)
            #expect(try await replica.perform(.resume, id) == .waiting)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == bytes)
            #expect(record.download.attempt == 2)
            #expect(record.download.result["resume"]?["outcome"] == "continued")
            #expect(origin.requests.map(\.rangeStart) == [nil, 900_000])
        }
    }

    @Test func runningDownloadIsCanceled() async throws {
        let gate = OriginGate()
        let bytes = content(2_000_000)
        try await Replica.with({ _ in
            Array(Answer.whole(bytes, cutAfter: 900_000).dropLast()) + [.wait(gate), .close]
        }) { replica, origin in
            defer { gate.open() }
            let id = try await replica.submit(origin.url())
            let isHalf = try await eventually {
                try await replica.find(id).download.bytesReceived == 900_000
            }
            #expect(isHalf)
            #expect(try await replica.perform(.cancel, id) == .canceling)
            let record = try await replica.reached(.canceled, id)
            #expect(record.download.completedAt != nil)
            #expect(try replica.lab.files().isEmpty)
            #expect(try await replica.number("SELECT sum(running) FROM gates") == 0)
        }
    }

    @Test func retriesAfter503AndRespectsRetryAfter() async throws {
        let bytes = content(1000)
        let asked = Mutex(0)
        try await Replica.with({ _ in
            let number = asked.withLock { count in
                count += 1
                return count
            }
            return number == 1
                ? Answer.status("503 Busy", ["Retry-After: 1"]) : Answer.whole(bytes)
        }) { replica, origin in
            let id = try await replica.submit(origin.url())
            let record = try await replica.reached(.succeeded, id)
            #expect(record.download.attempt == 2)
            #expect(try replica.file(record) == bytes)
            #expect(record.download.result["error"] == nil)
            // The second attempt waited for the second that the origin told.
            let rows = try await replica.pool.query(
                """
                SELECT a.ended_at, e.at, p.until FROM attempts a, events e, pushbacks p
                WHERE a.attempt = 1 AND e.type = 3 AND e.attempt = 2
                """)
            let row = try #require(rows.first)
            let ended = try row.get(0, as: TimestampValue.self).timestamp
            let began = try row.get(1, as: TimestampValue.self).timestamp
            let notBefore = try row.get(2, as: TimestampValue.self).timestamp
            #expect(notBefore - ended == .seconds(1))
            #expect(began >= notBefore)
        }
    }

    @Test func resumesACutBody() async throws {
        let bytes = content(800_000)
        try await Replica.with({ request in
            guard let start = request.rangeStart else {
                return Answer.whole(bytes, cutAfter: 300_000)
            }
            return start < 600_000
                ? Answer.part(bytes, from: start, cutAfter: 300_000)
                : Answer.part(bytes, from: start)
        }) { replica, origin in
            let id = try await replica.submit(origin.url())
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == bytes)
            #expect(record.download.attempt == 3)
            #expect(origin.requests.map(\.rangeStart) == [nil, 300_000, 600_000])
        }
    }

    @Test(arguments: [404, 403])
    func endsWhereNoRetryHelps(status: Int) async throws {
        try await Replica.with({ _ in Answer.status("\(status) X") }) { replica, origin in
            let id = try await replica.submit(origin.url())
            let expected: DownloadState = status == 404 ? .failed : .attentionRequired
            let record = try await replica.reached(expected, id)
            #expect(record.download.attempt == 1)
            #expect(record.download.result["error"]?["http_status"] == .integer(Int64(status)))
            #expect(try replica.lab.files().isEmpty)
        }
    }

    @Test func givesUpAfterAttemptsWithoutProgress() async throws {
        try await Replica.with(
            change: { $0.retries.maximumAttempts = 3 }, { _ in Answer.status("500 X") }
        ) { replica, origin in
            let id = try await replica.submit(origin.url())
            let record = try await replica.reached(.failed, id)
            #expect(record.download.attempt == 3)
            #expect(record.download.result["error"]?["retryable"] == false)
            #expect(origin.requests.count == 3)
        }
    }

    @Test func lostLeaseStopsAllRuns() async throws {
        let gate = OriginGate()
        let bytes = content(1_000_000)
        let asked = Mutex(0)
        try await Replica.with({ request in
            let number = asked.withLock { count in
                count += 1
                return count
            }
            guard number == 1 else { return Answer.whole(bytes) }
            return Array(Answer.whole(bytes, cutAfter: 500_000).dropLast()) + [.wait(gate), .close]
        }) { replica, origin in
            defer { gate.open() }
            let id = try await replica.submit(origin.url())
            let isHalf = try await eventually {
                try await replica.find(id).download.bytesReceived == 500_000
            }
            #expect(isHalf)
            _ = try await replica.pool.query("UPDATE replicas SET expires_at = '-infinity'")
            // The worker notices the loss at its heartbeat, stops, and comes back as another
            // replica.
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == bytes)
            #expect(record.download.attempt >= 2)
            let replicas = try await replica.number("SELECT min(replica_no) FROM replicas")
            #expect(replicas > replica.ledger.replica)
            #expect(await eventuallyIdle(replica))
            #expect(try await replica.number("SELECT sum(running) FROM gates") == 0)
            #expect(
                try await replica.number("SELECT count(*) FROM attempts WHERE outcome = 1") == 1)
        }
    }

    @Test func drainReleasesResumableRuns() async throws {
        let gate = OriginGate()
        let bytes = content(2_000_000)
        try await Replica.with({ _ in
            Array(Answer.whole(bytes, cutAfter: 900_000).dropLast()) + [.wait(gate), .close]
        }) { replica, origin in
            defer { gate.open() }
            let id = try await replica.submit(origin.url())
            let isHalf = try await eventually {
                try await replica.find(id).download.bytesReceived == 900_000
            }
            #expect(isHalf)
            await replica.worker.drain(grace: .seconds(10))
            await replica.worker.releaseLease()
            let record = try await replica.find(id)
            #expect(record.download.state == .waiting)
            #expect(record.download.bytesReceived == 900_000)
            let offset = try await replica.number("SELECT (resume->>'offset')::bigint FROM queue")
            #expect(offset == 900_000)
            #expect(try await replica.number("SELECT count(*) FROM replicas") == 0)
        }
    }

    @Test func progressWebhooksAreSentOnRequest() async throws {
        let gate = OriginGate()
        let bytes = content(500_000)
        try await Replica.with({ _ in
            let steps = Answer.whole(bytes, cutAfter: 200_000)
            return Array(steps.dropLast()) + [
                .wait(gate), .sendBytes(Array(bytes[200_000...])),
            ]
        }) { replica, origin in
            defer { gate.open() }
            let id = try await replica.submit(
                origin.url(),
                [
                    "webhook_url": "http://127.0.0.1:9/", "webhook_events": ["download.*"],
                ])
            let emitsEvent = try await eventually {
                try await replica.number(
                    """
                    SELECT count(*) FROM deliveries JOIN events USING (download_id, sequence)
                    WHERE type = 4
                    """) > 0
            }
            #expect(emitsEvent)
            gate.open()
            let record = try await replica.reached(.succeeded, id)
            let last = try await replica.number(
                "SELECT max(sequence) FROM events WHERE type = 9")
            #expect(record.download.sequence == last)
            let doubles = try await replica.number(
                """
                SELECT count(*) FROM (SELECT 1 FROM events GROUP BY download_id, sequence
                    HAVING count(*) > 1) z
                """)
            #expect(doubles == 0)
        }
    }

    private func eventuallyIdle(_ replica: Replica) async -> Bool {
        do {
            return try await eventually { await replica.worker.runningCount == 0 }
        } catch {
            return false
        }
    }
}
