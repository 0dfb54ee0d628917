// The readings that a replica stores for the others.
import Base
import Postgres
import Scheduling
import Store
import Testing

@Suite struct ReadingsTests {
    private func readings(_ load: Double, at now: Timestamp) throws -> ReplicaReadings {
        let policy = try Policy.parse(
            ["rules": [["name": "quiet", "require": ["load_per_core < 0.7"]]]],
            defaults: StoreLab.limits
        ) { _ in true }.get()
        var book = ConditionBook(policy, at: now)
        book.take(measured: [(.loadPerCore, .number(load)), (.ioPressure, nil)], at: now)
        return ReplicaReadings(book, at: now)
    }

    @Test func aHeartbeatBringsReadingsToTheOthers() async throws {
        try await StoreLab.with { lab in
            let conditions = Conditions(pool: lab.pool)
            let (first, second) = (try await lab.register(), try await lab.register())
            let now = Timestamp(seconds: 1_800_000_000)
            _ = try await first.heartbeat(
                lease: .seconds(60), readings: try readings(1.25, at: now))
            let seen = try await conditions.readings(besides: second.replica)
            let other = try #require(seen.others.first)
            #expect(seen.others.count == 1 && seen.own != nil)
            #expect(other.number != seen.own?.number && other.node == "test")
            #expect(other.value(of: "load_per_core")?.value == .number(1.25))
            #expect(other.value(of: "load_per_core")?.since == now)
            #expect(other.value(of: "io_pressure") != nil)
            #expect(other.value(of: "io_pressure")?.value == nil)
            #expect(other.standings["load_per_core < 0.7"]?.isMet == false)
            #expect(other.measuredAt > now - .seconds(86_400 * 3650))
            // A heartbeat without readings keeps the stored ones; no replica reads its own.
            _ = try await first.heartbeat(lease: .seconds(60))
            #expect(try await conditions.readings(besides: second.replica).others == [other])
            #expect(try await conditions.readings(besides: first.replica).others.isEmpty)
            // The readings of a replica whose lease is over are not read.
            _ = try await lab.pool.query(
                "UPDATE replicas SET expires_at = now() - interval '1 s' WHERE replica_no = $1",
                [first.replica])
            #expect(try await conditions.readings(besides: second.replica).others.isEmpty)
        }
    }
}
