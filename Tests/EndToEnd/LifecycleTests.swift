// Start, probes, orderly stop, and restart with all accepted downloads.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct LifecycleTests {
        @Test(.timeLimit(.minutes(3)))
        func sigtermEndsWithStatusZero() async throws {
            try await World.with { world in
                for probe in ["livez", "readyz"] {
                    let answer = try await Curl.get("\(world.lull.base)/\(probe)")
                    #expect(answer.status == 200, "\(probe)")
                }
                #expect(await world.lull.stop() == 0)
                let after = try await Curl.get("\(world.lull.base)/livez")
                #expect(after.status == 0)
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func isAliveDuringStartupAndEndsOnSIGTERM() async throws {
            try await World.with { world in
                let socket = world.scratch.file("data/postgres/socket")
                // The lock that a migration waits for; see Store/Migrator.
                let holder = try ChildProcess(
                    "/usr/bin/env",
                    [
                        "psql", "-h", socket, "-U", "lull", "-d", "lull", "-c",
                        "SELECT pg_advisory_lock(5497853284)", "-c", "SELECT pg_sleep(120)",
                    ],
                    environment: Environment.plain, log: world.scratch.file("holder"))
                try await eventually("a held lock") {
                    try world.scratch.read("holder").contains("1 row") ? () : nil
                }
                let base = "http://127.0.0.1:\(try await freePort())"
                let settings = [
                    "LULL_LISTEN": String(base.dropFirst(7)),
                    "LULL_DATA_DIR": world.scratch.file("second"),
                    "LULL_DATABASE_URL": "postgresql:///lull?host=\(socket)&user=lull",
                ]
                let second = try ChildProcess(
                    try Repository.lull(), ["serve"],
                    environment: Environment.plain.merging(settings) { $1 },
                    log: world.scratch.file("second.log"))
                try await eventually("a second replica that starts") {
                    try await Curl.get("\(base)/livez").status == 200 ? () : nil
                }
                let ready = try await Curl.get("\(base)/readyz")
                #expect(ready.status == 503 && ready.body.contains("its database is not ready"))
                second.send(SIGTERM)
                #expect(await second.status() == 0)
                let log = try world.scratch.read("second.log")
                #expect(log.contains("stopped before it was ready"), "\(log)")
                holder.send(SIGKILL)
                _ = await holder.status()
            }
        }

        /// The status line that comes before any content is sent.
        private static func answerBeforeContent(
            _ length: Int, _ base: String
        ) async throws -> String {
            let port = base.split(separator: ":").last ?? ""
            let head =
                "PUT /v1/uploads/up_0/content HTTP/1.1\\r\\nHost: a\\r\\n"
                + "Content-Length: \(length)\\r\\n\\r\\n"
            let script =
                "exec 3<>/dev/tcp/127.0.0.1/\(port); printf '\(head)' >&3; "
                + "read -r -t 20 line <&3; echo \"$line\""
            return try await ChildProcess.run("bash", ["-c", script]).output
        }

        /// A replica that starts before its database is alive, and not ready until the database
        /// answers.
        @Test(.timeLimit(.minutes(5)))
        func waitsForADatabaseThatComesLater() async throws {
            let scratch = try Scratch()
            let cluster = try await PostgresCluster(in: scratch)
            let lull = try await LullProcess(
                in: scratch, settings: ["LULL_DATABASE_URL": cluster.url])
            async let isReady: Void = lull.start()
            try await eventually("a replica that waits") {
                let log = try await lull.log()
                let answer = try await Curl.get("\(lull.base)/livez")
                return answer.status == 200 && log.contains("waiting for the database") ? () : nil
            }
            #expect(try await Curl.get("\(lull.base)/readyz").status == 503)
            for length in [5, 9_000_000] {
                let line = try await Self.answerBeforeContent(length, lull.base)
                #expect(line.hasPrefix("HTTP/1.1 503"), "\(length): \(line)")
            }
            try await cluster.create()
            try await isReady
            #expect(await lull.stop() == 0)
            let log = try await lull.log()
            #expect(log.contains("LULL_DATABASE_URL") && log.contains("cannot be reached"))
            await cluster.killHard()
            try scratch.remove()
        }

        /// The schema, then the registration: each waits for a lock when its session is ended.
        @Test(.timeLimit(.minutes(5)))
        func startsAlthoughTheDatabaseIsLostMeanwhile() async throws {
            let scratch = try Scratch()
            let cluster = try await PostgresCluster(in: scratch)
            try await cluster.create()
            let settings = ["LULL_DATABASE_URL": cluster.url]
            let first = try await LullProcess(in: scratch, settings: settings)
            try await first.start()
            #expect(await first.stop() == 0)
            for lock in [
                "SELECT pg_advisory_lock(5497853284)",
                "BEGIN; LOCK TABLE replicas IN ACCESS EXCLUSIVE MODE",
            ] {
                let holder = try ChildProcess(
                    "/usr/bin/env",
                    ["psql", "-Xq", cluster.url, "-c", lock + "; SELECT pg_sleep(120)"],
                    environment: Environment.plain, log: scratch.file("holder"))
                try await eventually("a held lock") {
                    try await cluster.psql(
                        "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
                    ).contains("1") ? () : nil
                }
                let own = try Scratch()
                let lull = try await LullProcess(in: own, settings: settings)
                async let isReady: Void = lull.start()
                try await eventually("a session that waits for the lock, and its end") {
                    try await cluster.psql(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE wait_event_type = 'Lock'
                        """
                    ).contains("t") ? () : nil
                }
                try await eventually("a loss that is noticed") {
                    try await lull.log().contains("does not answer, trying again") ? () : nil
                }
                _ = try await cluster.psql(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE wait_event = 'PgSleep'
                    """)
                _ = await holder.status()
                try await isReady
                #expect(await lull.stop() == 0)
                try own.remove()
            }
            await cluster.killHard()
            try scratch.remove()
        }

        /// A stop that is asked for while the program waits for a database is an orderly stop.
        @Test(.timeLimit(.minutes(3)))
        func endsOnSIGTERMWithoutADatabase() async throws {
            let scratch = try Scratch()
            let settings = [
                "LULL_LISTEN": "127.0.0.1:\(try await freePort())",
                "LULL_DATA_DIR": scratch.file("data"),
                "LULL_DATABASE_URL":
                    "postgresql://lull:hunter2@127.0.0.1:\(try await freePort())/x",
            ]
            let child = try ChildProcess(
                try Repository.lull(), ["serve"],
                environment: Environment.plain.merging(settings) { $1 },
                log: scratch.file("lull.log"))
            try await eventually("a replica that waits") {
                try scratch.read("lull.log").contains("waiting for the database") ? () : nil
            }
            child.send(SIGTERM)
            #expect(await child.status() == 0)
            let log = try scratch.read("lull.log")
            #expect(log.contains("stopped before it was ready") && !log.contains("hunter2"))
            try scratch.remove()
        }

        @Test(.timeLimit(.minutes(3)))
        func keepsAcceptedDownloadsThroughAKill() async throws {
            try await World.with { world in
                _ = try await world.origin.makeFile("kept.bin", length: 100_000)
                let order = LullClient.Order(
                    url: "\(world.origin.base)/kept.bin",
                    earliestBeginDate: Date.now.addingTimeInterval(3_600).instant)
                let waiting = try await world.client.create(order)
                let done = try await world.client.create(
                    LullClient.Order(url: "\(world.origin.base)/kept.bin"))
                let ended = try await world.client.download(done.id, wait: 30)
                #expect(ended.state == "succeeded")

                await world.lull.killHard()
                try await world.lull.start()

                let still = try await world.client.download(waiting.id)
                #expect(still.state == "waiting")
                let file = "\(world.origin.files)/kept.bin"
                let isWhole = try await world.client.hasContent(done.id, equalTo: file)
                #expect(isWhole)
            }
        }
    }
}
