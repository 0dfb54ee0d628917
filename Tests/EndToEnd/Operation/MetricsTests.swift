// Metrics are checked by Prometheus: its checker, a real server, the alerts and the board.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct MetricsTests {
        private static let folder = "docker/prometheus"
        /// The alerts that fire here beside the service; `AlertTests` has the others.
        static let live = [
            "LullAttemptsFail", "LullAttentionRequired", "LullReceiversSilent",
            "LullDiskWithoutRoom", "LullDown",
        ]

        @Test(.timeLimit(.minutes(5)))
        func alertsFireOnceEachInTheirOwnTests() async throws {
            let alerts = Repository.path("\(Self.folder)/alerts.yaml")
            let tests = Repository.path("\(Self.folder)/alerts.test.yaml")
            for arguments in [
                ["check", "rules", alerts], ["test", "rules", tests],
                ["check", "config", Repository.path("\(Self.folder)/prometheus.yaml")],
            ] {
                let result = try await ChildProcess.run("promtool", arguments)
                #expect(result.status == 0, "\(arguments): \(result.output)")
            }
            let names = try Self.alertNames(in: alerts)
            let text = String(decoding: try Data(contentsOf: URL(filePath: tests)), as: UTF8.self)
            #expect(names.count >= 10)
            #expect(Set(names) == Set(Self.live + AlertTests.live))
            for name in names {
                #expect(text.contains("alertname: \(name)\n        exp_alerts:\n"), "\(name)")
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aPrometheusTakesTheMetricsAndItsAlertsFire() async throws {
            let settings = ["LULL_WEBHOOK_RETRY_SCHEDULE": "100ms,100ms,100ms,1h"]
            try await World.with(settings: settings) { world in
                let other = try Scratch()
                let full = try await LullProcess(
                    in: other, settings: ["LULL_MIN_FREE_BYTES": "1000000GiB"])
                let prometheus = try await Prometheus(
                    in: world.scratch, targets: [world.lull.base, full.base])
                do {
                    try await full.start()
                    try await prometheus.start()
                    try await check(world, prometheus)
                } catch {
                    Issue.record(error, "\(try world.scratch.read("prometheus.log").suffix(2000))")
                }
                await prometheus.stop()
                try await full.sweep()
                try other.remove()
            }
        }

        private func check(_ world: World, _ prometheus: Prometheus) async throws {
            _ = try await eventually("both targets up") {
                try await prometheus.value(of: "sum(up)") == 2 ? () : nil
            }
            try await live(world)
            // All families are there, including those that need work or a census.
            let page = try await eventually("a census of what was done") {
                let page = try await Curl.get("\(world.lull.base)/metrics").body
                let census = #"lull_downloads{state="attention_required"} 1"#
                return page.contains(census) ? page : nil
            }
            try world.scratch.write(page, to: "metrics.txt")
            let checked = try await ChildProcess.run(
                "sh",
                ["-c", "promtool check metrics < '\(world.scratch.file("metrics.txt"))'"])
            #expect(checked.status == 0 && checked.output.isEmpty, "\(checked.output)")
            #expect(page.contains(#"lull_attempt_failures_total{code="resource_unavailable"} 25"#))
            #expect(page.contains(#"lull_waiting_downloads{blocker="earliest_begin_date"} 1"#))
            #expect(page.contains(#"route="/v1/downloads",status="201""#))
            #expect(!page.contains("lull_app_downloads"), "apps are named with a key only")
            try await checkExpressions(page, prometheus)
            for name in Self.live.dropLast() {
                _ = try await eventually("\(name) fires", attempts: 1200) {
                    try await prometheus.fires(name) ? () : nil
                }
            }
            #expect(try await !prometheus.fires("LullDown"))
            _ = await world.lull.stop()
            _ = try await eventually("LullDown fires", attempts: 1200) {
                try await prometheus.fires("LullDown") ? () : nil
            }
        }

        /// Downloads that fail, one that needs its client, one that waits, and a silent receiver.
        private func live(_ world: World) async throws {
            for number in 0..<25 {
                _ = try await world.client.create(
                    LullClient.Order(url: "\(world.origin.base)/missing-\(number)"))
            }
            var order = LullClient.Order(url: "\(world.origin.base)/")
            let refused = try await world.client.create(order)
            order.earliestBeginDate = "2099-01-01T00:00:00Z"
            order.webhookUrl = "http://127.0.0.1:\(try await freePort())/"
            order.webhookEvents = ["download.created", "download.canceled"]
            _ = try await world.client.create(order)
            let ended = try await world.client.create(order)
            _ = try await world.client.act("cancel", on: ended.id)
            _ = try await eventually("the refused download needs its client") {
                try await world.client.download(refused.id).state == "attention_required" ? () : nil
            }
        }

        /// Every expression of the board and of the alerts can be evaluated, and names metrics that
        /// exist.
        private func checkExpressions(_ page: String, _ prometheus: Prometheus) async throws {
            struct Board: Decodable {
                struct Panel: Decodable {
                    struct Target: Decodable { let expr: String }
                    let targets: [Target]
                }
                let panels: [Panel]
            }
            let file = URL(filePath: Repository.path("docker/grafana/lull.json"))
            let board = try JSONDecoder().decode(Board.self, from: try Data(contentsOf: file))
            let alerts = String(
                decoding: try Data(
                    contentsOf: URL(filePath: Repository.path("\(Self.folder)/alerts.yaml"))),
                as: UTF8.self)
            let expressions = board.panels.flatMap { $0.targets.map(\.expr) }
            #expect(expressions.count > 20)
            for expression in expressions {
                #expect(try await prometheus.value(of: expression, isOneNumber: false) != nil)
            }
            // Metrics that exist only with a limit or a budget.
            let rare: Set = ["lull_bandwidth_limit_bytes_per_second", "lull_budget_left_bytes"]
            let known = Set(page.matches(of: #/TYPE ([a-z_]+)/#).map { String($0.output.1) })
            let listed = String(
                decoding: try Data(contentsOf: URL(filePath: Repository.path("docs/metrics.md"))),
                as: UTF8.self)
            for name in known.union(rare) {
                #expect(listed.contains("| `\(name)` |"), "docs/metrics.md has no \(name)")
            }
            for match in (expressions.joined(separator: "\n") + alerts).matches(
                of: /\b(lull|process)_[a-z_]+\b/)
            {
                let name = String(match.output.0)
                    .replacing(/_seconds_(bucket|count|sum)$/, with: "_seconds")
                if name == "lull_metrics_key" || rare.contains(name) { continue }
                #expect(known.contains(name), "\(name)")
            }
        }

        private static func alertNames(in path: String) throws -> [String] {
            String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
                .matches(of: /- alert: ([A-Za-z]+)/).map { String($0.output.1) }
        }
    }
}
