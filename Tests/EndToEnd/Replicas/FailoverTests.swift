// PostgreSQL restarts, fails over to a standby, and falls silent before that; PgBouncer stands
// between.
import Foundation
import Support
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct FailoverTests {
        private static let settings = [
            "LULL_DATABASE_TIMEOUT": "5s", "LULL_LEASE": "10s", "LULL_RETRY_BASE": "100ms",
            "LULL_RETRY_CAP": "1s", "LULL_MAX_ATTEMPTS": "1000",
            "LULL_WEBHOOK_RETRY_SCHEDULE": "100ms,200ms,500ms,1s,1s",
        ]

        /// The attempts that cover LULL_DATABASE_TIMEOUT and thirty seconds, at a tenth of a second
        /// each.
        private static let patience = 350

        private func processes(_ fleet: Fleet) async -> [Int32?] {
            var list: [Int32?] = []
            for replica in fleet.replicas { list.append(await replica.identifier) }
            return list
        }

        @Test(.timeLimit(.minutes(6)))
        func aPromotedStandbyIsFoundWithoutARestart() async throws {
            var standby: PostgresCluster?
            try await Fleet.with({ scratch, cluster in
                let made = try await PostgresCluster(in: scratch, named: "standby")
                standby = made
                try await made.create(standbyOf: cluster)
                let hosts = "127.0.0.1:\(cluster.port),127.0.0.1:\(made.port)"
                var plan = Fleet.Plan(settings: Self.settings)
                plan.url = { _ in "postgresql://lull@\(hosts)/lull" }
                return plan
            }) { fleet in
                let standby = try #require(standby)
                let before = await processes(fleet)
                let loader = try await Loader(fleet)
                await loader.start()
                try await Task.sleep(for: .seconds(2))
                await fleet.cluster.killHard()
                try await Task.sleep(for: .seconds(1))
                try await standby.promote()
                for index in fleet.replicas.indices {
                    try await fleet.ready(index, attempts: Self.patience)
                }
                try await Task.sleep(for: .seconds(2))
                let load = try await loader.stop()
                #expect(load.unanswered.isEmpty, "\(load.unanswered)")
                try await fleet.expectSound(load, in: standby)
                #expect(await processes(fleet) == before)
            }
            await standby?.killHard()
        }

        /// TCP still acknowledges bytes, and no reset comes.
        @Test(.timeLimit(.minutes(6)))
        func aSilentLinkBeforeAFailoverIsLeft() async throws {
            var standby: PostgresCluster?
            var link: DatabaseLink?
            try await Fleet.with({ scratch, cluster in
                let made = try await PostgresCluster(in: scratch, named: "standby")
                standby = made
                try await made.create(standbyOf: cluster)
                let opened = try DatabaseLink(
                    to: "postgresql:///lull?user=lull&host=\(cluster.sockets)&port=\(cluster.port)")
                link = opened
                let url =
                    opened.url
                    .replacing("&port=", with: ",\(made.sockets)&port=") + ",\(made.port)"
                var plan = Fleet.Plan(settings: Self.settings)
                plan.url = { _ in url }
                return plan
            }) { fleet in
                let (standby, link) = (try #require(standby), try #require(link))
                let before = await processes(fleet)
                let loader = try await Loader(fleet)
                await loader.start()
                try await Task.sleep(for: .seconds(2))
                link.follow { _ in .fallSilentBehind }
                try await eventually("the silence") { link.isSilent ? () : nil }
                await fleet.cluster.killHard()
                try await standby.promote()
                for index in fleet.replicas.indices {
                    try await fleet.ready(index, attempts: Self.patience)
                }
                try await Task.sleep(for: .seconds(2))
                let load = try await loader.stop()
                #expect(load.unanswered.isEmpty, "\(load.unanswered)")
                try await fleet.expectSound(load, in: standby)
                #expect(await processes(fleet) == before)
            }
            link?.close()
            await standby?.killHard()
        }

        /// There are fewer sessions than connections, so every transaction gets another session.
        @Test(.timeLimit(.minutes(6)))
        func theMainJobRunsBehindPgBouncer() async throws {
            var bouncer: PgBouncer?
            try await Fleet.with({ scratch, cluster in
                let made = try await PgBouncer(in: scratch, before: cluster, sessions: 3)
                bouncer = made
                try await made.start()
                var plan = Fleet.Plan(settings: Self.settings)
                plan.settings["LULL_DATABASE_POOLER"] = "transaction"
                plan.url = { _ in made.url }
                return plan
            }) { fleet in
                let bouncer = try #require(bouncer)
                let loader = try await Loader(fleet)
                await loader.start()
                try await Task.sleep(for: .seconds(4))
                await fleet.cluster.killHard()
                try await fleet.cluster.start()
                for index in fleet.replicas.indices { try await fleet.ready(index) }
                try await Task.sleep(for: .seconds(3))
                let load = try await loader.stop()
                #expect(load.unanswered.isEmpty)
                try await fleet.expectSound(load, in: fleet.cluster)
                // Other clients of the pooler get sessions with the server's own settings.
                for _ in 0..<12 {
                    let left = try await bouncer.ask(
                        """
                        SELECT (SELECT count(*) FROM pg_settings WHERE source = 'session'
                                AND name IN ('statement_timeout', 'lock_timeout', 'jit')),
                            (SELECT count(*) FROM pg_prepared_statements),
                            (SELECT count(*) FROM pg_listening_channels())
                        """)
                    #expect(left == "0|0|0")
                }
                let locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
                #expect(try await fleet.cluster.psql(locks) == "0")
                let commands = try await CommandRun.of(
                    ["keys", "create", "--app", "pooled"],
                    settings: [
                        "LULL_DATABASE_URL": bouncer.url, "LULL_DATABASE_POOLER": "transaction",
                    ], in: fleet.scratch)
                #expect(commands.status == 0, "\(commands.errors)")
            }
            await bouncer?.stop()
        }
    }
}
