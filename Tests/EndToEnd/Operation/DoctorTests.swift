// `lull doctor` beside broken things: each has its line, and the exit status is that of a fault.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct DoctorTests {
        /// A broken thing, and doctor's line about it.
        private struct Case {
            let line: String
            let settings: [String: String]
            var wrapper: [String] = []

            init(_ line: String, _ settings: [String: String], wrapper: [String] = []) {
                self.line = line
                self.settings = settings
                self.wrapper = wrapper
            }
        }

        private static func doctor(
            _ settings: [String: String], wrapper: [String] = [], in scratch: Scratch
        ) async throws -> ChildProcess.Result {
            let all = Environment.plain.merging([
                "LULL_DATA_DIR": scratch.file("data"), "LULL_LISTEN": "127.0.0.1:1",
                "LULL_MIN_FREE_BYTES": "1MiB", "LULL_DATABASE_TIMEOUT": "5s",
            ]) { $1 }.merging(settings) { $1 }
            let log = "doctor-\(UUID().uuidString)"
            let command = wrapper + [try Repository.lull(), "doctor"]
            let child = try ChildProcess(
                "/usr/bin/env", command, environment: all, log: scratch.file(log))
            let status = await child.status()
            return ChildProcess.Result(status: status, output: try scratch.read(log))
        }

        /// Expects a line, and the exit status of the worst line.
        private func expect(
            _ line: String, _ settings: [String: String], wrapper: [String] = [],
            in scratch: Scratch
        ) async throws {
            let told = try await Self.doctor(settings, wrapper: wrapper, in: scratch)
            let lines = told.output.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix(line) }, "\(line)\nin\n\(told.output)")
            let hasFault = lines.contains { $0.hasPrefix("fault ") }
            #expect(told.status == (hasFault ? 1 : 0), "\(told.output)")
            #expect(CommandRun.internalWords(in: told.output) == [], "\(told.output)")
        }

        @Test(.timeLimit(.minutes(3)))
        func ofSettingsDiskAndKeysEachFaultHasItsLine() async throws {
            let scratch = try Scratch()
            _ = try scratch.folder("data")
            try scratch.write("no folder", to: "file")
            try scratch.write(String(repeating: "5a", count: 32), to: "key")
            try scratch.write("postgresql://lull@127.0.0.1:1/lull", to: "url")
            try scratch.write("LULL_DATABASE_URL=postgresql://lull@127.0.0.1:1/lull", to: "conf")
            try scratch.write("LULL_MAX_RUNNING=8", to: "plain")
            let open = ["key", "url", "conf", "plain"].map { scratch.file($0) }
            _ = try await ChildProcess.run("chmod", ["644"] + open)
            var cases = [
                Case(
                    "fault settings: ",
                    ["LULL_ENCRYPTION_KEY_FILE": scratch.file("none")]),
                Case(
                    "warning disk: \(scratch.file("new")) does not exist yet; lull serve creates "
                        + "it",
                    ["LULL_DATA_DIR": scratch.file("new")]),
                Case("fault disk: ", ["LULL_DATA_DIR": scratch.file("file")]),
                Case(
                    "fault disk: downloads may use 0B of ", ["LULL_MIN_FREE_BYTES": "1000000GiB"]),
                Case("ok disk: downloads may use ", [:]),
                Case(
                    "warning permissions: other users of this machine can read "
                        + "\(scratch.file("key")); chmod 600 \(scratch.file("key"))",
                    ["LULL_ENCRYPTION_KEY_FILE": scratch.file("key")]),
                Case(
                    "warning permissions: other users of this machine can read "
                        + scratch.file("url"),
                    ["LULL_DATABASE_URL_FILE": scratch.file("url")]),
                Case(
                    "warning permissions: other users of this machine can read "
                        + scratch.file("conf"),
                    ["LULL_CONFIG_FILE": scratch.file("conf")]),
                Case(
                    "ok permissions: only their owner can read",
                    ["LULL_CONFIG_FILE": scratch.file("plain")]),
                Case("warning database: the private PostgreSQL is not running; start", [:]),
                Case(
                    "fault database: ",
                    ["LULL_DATABASE_URL": "postgresql://lull@127.0.0.1:1/lull"]),
                Case("warning service: not ready: ", [:]),
            ]
            if await Injection.isPossible() {
                let slow = [
                    "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync", "-e",
                    "inject=fdatasync:delay_enter=60000",
                ]
                cases.append(Case("warning fsync: writing and syncing 4 KiB ", [:], wrapper: slow))
                cases.append(
                    Case(
                        "fault disk: ", [:],
                        wrapper: Array(slow.dropLast()) + ["inject=fdatasync:error=EIO"]))
            }
            for one in cases {
                try await expect(one.line, one.settings, wrapper: one.wrapper, in: scratch)
            }
            try scratch.remove()
        }

        @Test(.timeLimit(.minutes(5)))
        func ofDatabaseReplicasAndServiceEachFaultHasItsLine() async throws {
            // The broken settings are reset afterwards; the first is looked at before the schema is
            // made.
            let broken = [
                (
                    "ALTER DATABASE lull SET synchronous_commit = off",
                    "ALTER DATABASE lull RESET synchronous_commit",
                    "fault database: PostgreSQL 15 would lose accepted downloads in a crash"
                ),
                (
                    "ALTER DATABASE lull SET track_counts = off",
                    "ALTER DATABASE lull RESET track_counts",
                    "warning database: PostgreSQL 15 with autovacuum off"
                ),
                (
                    "SELECT FROM pg_create_physical_replication_slot('old', true)",
                    "SELECT pg_drop_replication_slot('old')",
                    "warning replication slots: nothing reads old, so WAL files pile up"
                ),
                (
                    """
                    CREATE TABLE swollen (n int) WITH (autovacuum_enabled = off);
                    INSERT INTO swollen SELECT generate_series(1, 30000); DELETE FROM swollen
                    """, "DROP TABLE swollen",
                    "warning bloat: swollen has 30000 dead rows and 0 live"
                ),
            ]
            let empty = try Scratch()
            let settings = ["LULL_LEASE": "8s", "LULL_DATABASE_TIMEOUT": "5s"]
            try await Fleet.with({ _, cluster in
                try await expect(
                    "warning schema: ", ["LULL_DATABASE_URL": cluster.url], in: empty)
                return Fleet.Plan(count: 2, settings: settings)
            }) { fleet in
                let well = [
                    "LULL_DATABASE_URL": fleet.cluster.url,
                    "LULL_ENCRYPTION_KEY_FILE": fleet.scratch.file("key"),
                    "LULL_LISTEN": fleet.replicas[1].base.replacing("http://", with: ""),
                    "LULL_DATA_DIR": fleet.folders[1],
                ]
                _ = try await ChildProcess.run("chmod", ["600", fleet.scratch.file("key")])
                let told = try await Self.doctor(well, in: fleet.scratch)
                let lines = told.output.split(separator: "\n")
                // The speed of syncs depends on this machine.
                let wrong = lines.filter { !$0.hasPrefix("ok ") && !$0.contains(" fsync: ") }
                #expect(wrong.isEmpty, "\(told.output)")
                #expect(lines.count == 14, "\(told.output)")
                for (sql, back, line) in broken {
                    for statement in sql.split(separator: ";") {
                        try await fleet.cluster.psql(String(statement))
                    }
                    try await expect(line, well, in: fleet.scratch)
                    try await fleet.cluster.psql(back)
                }
                try await checkReplicas(fleet, well)
                try await checkServer(fleet, well)
            }
            try empty.remove()
        }

        /// A replica that was killed has left files.
        private func checkReplicas(_ fleet: Fleet, _ well: [String: String]) async throws {
            _ = try await fleet.origin.makeFile("file", length: 1000)
            await fleet.replicas[1].killHard()
            let made = try await fleet.client(0).create(
                LullClient.Order(url: "\(fleet.origin.base)/file"))
            #expect(try await fleet.client(0).download(made.id, wait: 60).state == "succeeded")
            await fleet.replicas[0].killHard()
            try await expect("warning service: not ready: ", well, in: fleet.scratch)
            try await fleet.replicas[1].start()
            _ = try await eventually("the end of the lease of the killed replica") {
                let told = try await Self.doctor(well, in: fleet.scratch)
                let line = "warning replicas: replicas that are not running have files ("
                return told.output.contains(line) ? () : nil
            }
            try await fleet.replicas[0].start()
            try await expect("ok replicas: 2 running; none", well, in: fleet.scratch)
        }

        /// A server with few connections, and a standby.
        private func checkServer(_ fleet: Fleet, _ well: [String: String]) async throws {
            for replica in fleet.replicas { _ = await replica.stop() }
            let standby = try await PostgresCluster(in: fleet.scratch, named: "standby")
            try await standby.create(standbyOf: fleet.cluster)
            var settings = well
            settings["LULL_DATABASE_URL"] = standby.url
            try await expect(
                "fault database: PostgreSQL 15, a standby that accepts no writes", settings,
                in: fleet.scratch)
            await standby.killHard()
            try await fleet.cluster.psql("ALTER SYSTEM RESET synchronous_standby_names")
            try await fleet.cluster.psql("ALTER SYSTEM SET max_connections = 17")
            await fleet.cluster.killHard()
            try await fleet.cluster.start()
            try await expect("warning connections: ", well, in: fleet.scratch)
        }
    }
}
