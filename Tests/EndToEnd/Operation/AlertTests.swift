// Alerts beside a running service: the test causes the fault of each alert, and the alert fires.
import Foundation
import Support
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct AlertTests {
        /// The alerts that fire here; `MetricsTests` has the others.
        static let live = [
            "LullEndpointDisabled", "LullContentLost", "LullContentMissing", "LullFilesRunOut",
            "LullOldestWaiting", "LullStoreRefuses",
            "LullNothingRuns", "LullWebhooksOverdue", "LullDiskBroken", "LullPostgresRestarted",
            "LullLeaseOld", "LullServerErrors", "LullDatabaseRefusals",
        ]

        private static let settings = [
            "LULL_LEASE": "8s", "LULL_DATABASE_TIMEOUT": "2s", "LULL_RETRY_BASE": "100ms",
            "LULL_RETRY_CAP": "200ms", "LULL_MAX_ATTEMPTS": "1000", "LULL_MIN_FREE_BYTES": "1MiB",
            "LULL_WEBHOOK_RETRY_SCHEDULE": "1h",
        ]

        @Test(
            .enabled("strace may not trace here") { await Injection.isPossible() },
            .timeLimit(.minutes(15)))
        func whatAnAlertWarnsOfMakesItFire() async throws {
            let store = try await StoreProcess(.strict(["--access-key", "another"]))
            let all = StoreWorld.settings(port: store.port).merging(Self.settings) { $1 }
            try await World.with(settings: all) { world in
                let prometheus = try await Prometheus(in: world.scratch, targets: [world.lull.base])
                do {
                    try await prometheus.start()
                    // Every counter was scraped once before it grows, as its alert counts from the
                    // start value.
                    _ = try await eventually("a scrape of all counters", attempts: 1200) {
                        let name = "sum(lull_embedded_postgres_restarts_total)"
                        return try await prometheus.value(of: name) == 0 ? () : nil
                    }
                    try await contents(world, prometheus)
                    // Its file stays in the data directory, so it comes after the missing ones.
                    try await refusal(world, prometheus)
                    try await files(world, prometheus)
                    try await queue(world, prometheus)
                    try await disk(world, prometheus)
                    try await database(world, prometheus)
                } catch {
                    Issue.record(error, "\(try await world.lull.logEnd())")
                }
                await prometheus.stop()
            }
            try await store.end()
        }

        /// A store that does not know the keys.
        private func refusal(_ world: World, _ prometheus: Prometheus) async throws {
            _ = try await world.origin.makeFile("refused", length: 10)
            let answer = try await Curl.send(
                "POST", "\(world.lull.base)/v1/downloads",
                json: #"{"url": "\#(world.origin.base)/refused", "destination": {"name": "cold"}}"#)
            #expect(answer.status == 201, "\(answer.body)")
            try await fires("LullStoreRefuses", prometheus)
        }

        private func fires(
            _ name: String, _ prometheus: Prometheus, while cause: () async throws -> Void = {}
        ) async throws {
            _ = try await eventually("\(name) fires", attempts: 2400) {
                try await cause()
                return try await prometheus.fires(name) ? () : nil
            }
        }

        /// A receiver that is gone for good, and a file that is missing.
        private func contents(_ world: World, _ prometheus: Prometheus) async throws {
            let made = try await Curl.send(
                "POST", "\(world.lull.base)/v1/webhook_endpoints",
                json: #"{"url": "\#(world.receiverURL)/410", "events": ["download.succeeded"]}"#)
            let endpoint = try #require(
                made.body.firstMatch(of: #/"(whe_[0-9A-Z]{26})"/#), "\(made)")
            let secret = try await Curl.get(
                "\(world.lull.base)/v1/webhook_endpoints/\(endpoint.output.1)/secret")
            let word = try #require(secret.body.firstMatch(of: #/whsec_[A-Za-z0-9+\/=]+/#))
            try await world.receiver.trust(String(word.output))
            _ = try await world.origin.makeFile("a.bin", length: 100_000)
            let order = LullClient.Order(url: "\(world.origin.base)/a.bin")
            let id = try await world.client.create(order).id
            #expect(try await world.client.download(id, wait: 60).state == "succeeded")
            try await fires("LullEndpointDisabled", prometheus)
            for _ in 0..<3 {
                let other = try await world.client.create(order).id
                #expect(try await world.client.download(other, wait: 60).state == "succeeded")
            }
            // All files are missing, then a single one.
            let content = ContentFolder(world.scratch.file("data"))
            let aside = try content.takeAway(to: world.scratch.file("aside"))
            for _ in 0..<2 {
                let gone = try await Curl.get("\(world.lull.base)/v1/downloads/\(id)/content")
                #expect(gone.status == 503, "\(gone)")
            }
            try await fires("LullContentMissing", prometheus)
            let one = try #require(aside.keys.min())
            try content.bringBack(aside.filter { $0.key != one })
            try await fires("LullContentLost", prometheus)
        }

        /// The limit of open files is nearly reached.
        private func files(_ world: World, _ prometheus: Prometheus) async throws {
            let process = try #require(await world.lull.identifier)
            let before = try await limit(of: process)
            let open = try FileManager.default
                .contentsOfDirectory(atPath: "/proc/\(process)/fd").count
            try await setLimit(of: process, "\(open + max(4, open / 14)):\(before.hard)")
            try await fires("LullFilesRunOut", prometheus)
            try await setLimit(of: process, "\(before.soft):\(before.hard)")
        }

        private func limit(of process: Int32) async throws -> (soft: String, hard: String) {
            let told = try await ChildProcess.run(
                "prlimit",
                ["--pid", "\(process)", "--nofile", "--noheadings", "--raw", "-o", "SOFT,HARD"])
            let words = told.output.split(whereSeparator: \.isWhitespace).map(String.init)
            guard words.count == 2 else { throw HarnessError("prlimit: \(told.output)") }
            return (words[0], words[1])
        }

        private func setLimit(of process: Int32, _ limit: String) async throws {
            let told = try await ChildProcess.run(
                "prlimit", ["--pid", "\(process)", "--nofile=\(limit)"])
            #expect(told.status == 0, "\(told.output)")
        }

        /// A download that has waited for days; a due download and a webhook, while another
        /// transaction locks the rows that a claim needs.
        private func queue(_ world: World, _ prometheus: Prometheus) async throws {
            var order = LullClient.Order(url: "\(world.origin.base)/a.bin")
            order.earliestBeginDate = "2099-01-01T00:00:00Z"
            order.webhookUrl = "http://127.0.0.1:\(try await freePort())/"
            order.webhookEvents = ["download.created"]
            let late = try await world.client.create(order)
            try await fires("LullOldestWaiting", prometheus) {
                _ = try await psql(
                    world, "UPDATE queue SET life_since = now() - interval '5 days'",
                    "UPDATE lane_loads SET oldest_at = now() - interval '5 days'")
            }
            _ = try await eventually("a webhook that has to be sent again") {
                let far = "now() + interval '10 minutes' AND now() + interval '1 day'"
                let sql = "SELECT count(*) FROM receivers WHERE next_at BETWEEN \(far)"
                return try await psql(world, sql) == "1\n" ? () : nil
            }
            let locks = try lockRows(world)
            _ = try await eventually("the locks") {
                try world.scratch.read("locks.log").contains("held") ? () : nil
            }
            #expect(locks.isRunning)
            let patched = try await Curl.send(
                "PATCH", "\(world.lull.base)/v1/downloads/\(late.id)",
                json: #"{"earliest_begin_date": null}"#)
            #expect(patched.status == 200, "\(patched)")
            try await fires("LullNothingRuns", prometheus)
            try await fires("LullWebhooksOverdue", prometheus)
            try world.scratch.write("", to: "locks-end")
            _ = await locks.status()
            #expect(try await world.client.download(late.id, wait: 60).state == "succeeded")
        }

        /// A session that locks the rows of limits and of a receiver that has been due for long,
        /// until a file is there.
        private func lockRows(_ world: World) throws -> ChildProcess {
            try world.scratch.write(
                """
                UPDATE receivers SET next_at = now() - interval '20 minutes'
                    WHERE next_at BETWEEN now() AND now() + interval '1 day';
                BEGIN;
                SELECT count(*) FROM (SELECT FROM receivers FOR UPDATE) z;
                SELECT count(*) FROM (SELECT FROM gates FOR UPDATE) z;
                SELECT 'held';
                \\! while [ ! -e '\(world.scratch.file("locks-end"))' ]; do sleep 0.1; done
                ROLLBACK;

                """, to: "locks.sql")
            return try ChildProcess(
                "/usr/bin/env",
                [
                    "psql", "-XAtq", "-h", world.scratch.file("data/postgres/socket"), "-U", "lull",
                    "-f", world.scratch.file("locks.sql"), "lull",
                ], environment: Environment.plain, log: world.scratch.file("locks.log"))
        }

        private func psql(_ world: World, _ statements: String...) async throws -> String {
            let told = try await ChildProcess.run(
                "psql",
                [
                    "-XAtq", "-v", "ON_ERROR_STOP=1", "-h",
                    world.scratch.file("data/postgres/socket"), "-U", "lull", "lull",
                ] + statements.flatMap { ["-c", $0] })
            guard told.status == 0 else { throw HarnessError("psql: \(told.output)") }
            return told.output
        }

        /// A disk whose syncs fail.
        private func disk(_ world: World, _ prometheus: Prometheus) async throws {
            let process = try #require(await world.lull.identifier)
            let calls = "fsync,fdatasync,syncfs"
            let tracer = try ChildProcess(
                "/usr/bin/env",
                [
                    "strace", "-f", "-qq", "-p", "\(process)", "-o", "/dev/null", "-e",
                    "trace=\(calls)", "-e", "inject=\(calls):error=EIO",
                ], environment: Environment.plain, log: world.scratch.file("tracer.log"))
            for _ in 0..<4 {
                _ = try await world.client.create(
                    LullClient.Order(url: "\(world.origin.base)/a.bin"))
            }
            try await fires("LullDiskBroken", prometheus)
            tracer.send(SIGTERM)
            _ = await tracer.status()
        }

        /// A private server that is killed, and one that stands still.
        private func database(_ world: World, _ prometheus: Prometheus) async throws {
            let first = try postmaster(world)
            #expect(kill(first, SIGKILL) == 0)
            try await fires("LullPostgresRestarted", prometheus)
            _ = try await eventually("readiness") {
                try await Curl.get("\(world.lull.base)/readyz").status == 200 ? () : nil
            }
            let server = try postmaster(world)
            let all = [server] + (try children(of: server))
            for process in all { _ = kill(process, SIGSTOP) }
            let url = "\(world.lull.base)/v1/downloads?limit="
            func ask() async throws {
                let each = "curl -s -o /dev/null --max-time 30 '\(url)'"
                let line = "for i in $(seq 40); do \(each)$i & done; wait"
                _ = try await ChildProcess.run("bash", ["-c", line])
            }
            do {
                for name in ["LullServerErrors", "LullDatabaseRefusals", "LullLeaseOld"] {
                    try await fires(name, prometheus, while: ask)
                }
            } catch {
                for process in all { _ = kill(process, SIGCONT) }
                throw error
            }
            for process in all { _ = kill(process, SIGCONT) }
        }

        private func postmaster(_ world: World) throws -> Int32 {
            let file = try world.scratch.read("data/postgres/data/postmaster.pid")
            return try #require(file.split(separator: "\n").first.flatMap { Int32($0) })
        }

        private func children(of process: Int32) throws -> [Int32] {
            let path = "/proc/\(process)/task/\(process)/children"
            return try String(contentsOfFile: path, encoding: .utf8)
                .split(separator: " ").compactMap { Int32($0) }
        }
    }
}
