// Duties run apart from each other: a duty that has much to clean, or waits for a lock, delays no
// other.
import Base
import Platform
import Postgres
import Store
import Support
import Testing

@testable import Worker

@Suite struct UpkeepApartTests {
    private static func often(_ settings: inout WorkerSettings) {
        settings.lease = .seconds(3)
        settings.historyRetention = .seconds(3600)
        settings.historyInterval = .milliseconds(50)
    }

    /// 20,000 late rows are cleaned one by one, and a statement that removes history waits for a
    /// lock: the replica whose lease ends meanwhile is noticed before either has ended.
    @Test(.timeLimit(.minutes(15))) func deadReplicaIsNoticedWhileOtherDutiesAreBusy() async throws
    {
        try await Replica.with(change: Self.often, { _ in Answer.whole(content(10)) }) {
            replica, origin in
            let later: JSONObject = ["earliest_begin_date": "2036-01-01T00:00:00Z"]
            _ = try await replica.intake.submit(replica.draft(origin.url("/"), later))
            let blocker = PostgresConnection(url: replica.url)
            try await blocker.open()
            try await blocker.script("BEGIN; LOCK TABLE session_versions IN ACCESS EXCLUSIVE MODE")
            let waits = """
                SELECT count(*) FROM pg_locks
                WHERE relation = 'session_versions'::regclass AND NOT granted
                """
            let isBlocked = try await eventually { try await replica.number(waits) > 0 }
            #expect(isBlocked)
            _ = try await replica.pool.query(
                """
                INSERT INTO queue SELECT (jsonb_populate_record(q, jsonb_build_object(
                    'id', gen_random_uuid(), 'deadline', '-infinity'))).*
                FROM queue q, generate_series(1, 20000)
                """)
            _ = try await replica.pool.query(
                """
                INSERT INTO replicas (instance, node, expires_at)
                VALUES (gen_random_uuid(), 'dead', clock_timestamp() + interval '1 second')
                """)
            replica.worker.expect(replica.lab.clock.now)
            let isNoticed = try await eventually {
                try await replica.number("SELECT count(*) FROM replicas") == 1
            }
            #expect(isNoticed)
            #expect(try await replica.number("SELECT count(*) FROM queue") > 1)
            // A statement that ran out of time is sent again.
            let isStillBlocked = try await eventually { try await replica.number(waits) > 0 }
            #expect(isStillBlocked)
            try await blocker.script("ROLLBACK")
            await blocker.close()
        }
    }
}
