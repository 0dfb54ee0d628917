// Creates: batched, durable when answered, and one bad value does not harm the others.
import Base
import Downloads
import Postgres
import Store
import Testing

@Suite struct IntakeTests {
    @Test func concurrentCreatesShareCommits() async throws {
        try await StoreLab.with { lab in
            let intake = Intake(pool: lab.pool)
            let drafts = try (0..<300).map { _ in try lab.draft() }
            let accepted = try await withThrowingTaskGroup(of: Timestamp.self) { group in
                for new in drafts { group.addTask { try await intake.submit(new) } }
                return try await group.reduce(into: [Timestamp]()) { $0.append($1) }
            }
            #expect(accepted.count == 300)
            for table in ["downloads", "queue"] {
                #expect(try await lab.number("SELECT count(*) FROM \(table)") == 300)
            }
            #expect(try await lab.number("SELECT count(*) FROM events WHERE type = 1") == 300)
            let commits = try await lab.number("SELECT count(DISTINCT xmin::text) FROM queue")
            #expect(commits < 150, "\(commits) commits for 300 creates")
            for new in drafts {
                let found = try await lab.find(new.download.id)
                #expect(found?.download.state == .waiting)
                #expect(found?.download.url == new.download.url)
            }
        }
    }

    @Test func unacceptableRowFailsAlone() async throws {
        try await StoreLab.with { lab in
            let intake = Intake(pool: lab.pool, writers: 1)
            var drafts = try (0..<40).map { _ in try lab.draft() }
            drafts[17].download.url += "\u{0}"
            let codes = await withTaskGroup(of: (Int, StoreError.Code?).self) { group in
                for (place, new) in drafts.enumerated() {
                    group.addTask {
                        let code = await failure { () throws(StoreError) in
                            _ = try await intake.submit(new)
                        }
                        return (place, code)
                    }
                }
                return await group.reduce(into: [Int: StoreError.Code]()) { $0[$1.0] = $1.1 }
            }
            #expect(codes == [17: .refused])
            #expect(try await lab.number("SELECT count(*) FROM queue") == 39)
            #expect(try await lab.find(drafts[17].download.id) == nil)
        }
    }

    @Test func deadlineCountsFromEarliestBegin() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(1, ["timeout_interval_for_resource": 60])
            try await lab.submit(
                1,
                [
                    "timeout_interval_for_resource": 60,
                    "earliest_begin_date": "2999-01-01T00:00:00Z",
                ])
            try await lab.submit(
                1,
                [
                    "timeout_interval_for_resource": 60,
                    "earliest_begin_date": "1999-01-01T00:00:00Z",
                ])
            let minutes = try await lab.number(
                """
                SELECT count(*) FROM queue q JOIN downloads d ON d.id = q.id WHERE deadline
                    = greatest(created_at, earliest_begin_at) + interval '60 seconds'
                """)
            #expect(minutes == 3)
        }
    }

    @Test func fullIntakeRefuses() async throws {
        try await StoreLab.with { lab in
            // No writer gets anywhere while the table is locked.
            let locks = PostgresConnection(url: lab.url)
            try await locks.open()
            try await locks.script("BEGIN; LOCK TABLE gates, queue IN ACCESS EXCLUSIVE MODE")
            let intake = Intake(pool: lab.pool, writers: 1)
            let new = try lab.draft()
            let count = Intake.pendingAtMost + 300
            let results = await withTaskGroup(of: StoreError.Code?.self) { group in
                for _ in 0..<count {
                    var copy = new
                    copy.download.id = StoreLab.identifier()
                    group.addTask {
                        await failure { () throws(StoreError) in
                            _ = try await intake.submit(copy)
                        }
                    }
                }
                var refused = 0
                while refused < 44, let code = await group.next() {
                    #expect(code == .overloaded)
                    refused += 1
                }
                do { try await locks.script("COMMIT") } catch { Issue.record("\(error)") }
                return await group.reduce(into: [StoreError.Code?]()) { $0.append($1) }
            }
            await locks.close()
            let accepted = results.count { $0 == nil }
            // The number that wait, and at most one batch that is under way.
            #expect((Intake.pendingAtMost...(Intake.pendingAtMost + 256)).contains(accepted))
            #expect(results.allSatisfy { $0 == nil || $0 == .overloaded })
            #expect(try await lab.number("SELECT count(*) FROM queue") == Int64(accepted))
        }
    }

    @Test func createWritesASubscribedDelivery() async throws {
        try await StoreLab.with { lab in
            let asked = try await lab.submit(
                1,
                [
                    "webhook_url": "https://hooks.example/a",
                    "webhook_events": ["download.created"],
                ])
            try await lab.submit(1, ["webhook_url": "https://hooks.example/b"])
            try await lab.submit()
            let rows = try await lab.pool.query(
                "SELECT download_id, type, url FROM \(StoreLab.deliveredEvents)")
            #expect(rows.count == 1)
            let row = try #require(rows.first)
            #expect(try row.get(0, as: UUIDValue.self).identifier == asked[0])
            #expect(try row.get(1, as: Int16.self) == EventType.created.rawValue)
            #expect(try row.get(2, as: String.self) == "https://hooks.example/a")
            #expect(try await lab.number("SELECT count(*) FROM events WHERE type = 1") == 3)
        }
    }

    @Test func createStoresTheRequest() async throws {
        try await StoreLab.with { lab in
            let date = Timestamp(seconds: 4_000_000_000)
            let before = try await lab.now()
            let id = try await lab.submit(
                1,
                [
                    "earliest_begin_date": .string(date.rfc3339), "suspended": true,
                    "priority": 0.9, "metadata": ["a": "b \u{1F600}"],
                    "count_of_bytes_client_expects_to_receive": 77,
                    "expected_digest": .string("sha256:" + String(repeating: "ab", count: 32)),
                ])[0]
            let download = try #require(await lab.find(id)).download
            #expect(download.state == .suspended)
            #expect(download.earliestBeginDate == date)
            #expect(download.priority == 0.9)
            #expect(download.bytesExpectedByClient == 77)
            #expect(download.spec.metadata["a"] == "b \u{1F600}")
            #expect(download.spec.expectedDigest?.hexadecimal.hasPrefix("abab") == true)
            #expect(download.createdAt >= before)
        }
    }
}
