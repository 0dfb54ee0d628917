// Several real processes on one database: content, orders, policies, and a replica that stays away.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct ReplicaTests {
        private static let quick = ["LULL_LEASE": "4s", "LULL_DATABASE_TIMEOUT": "2s"]

        /// Creates a download and waits for its success.
        private func fetch(_ name: String, _ fleet: Fleet) async throws -> String {
            let id = try await fleet.client(0).create(
                LullClient.Order(url: "\(fleet.origin.base)/\(name)")
            ).id
            let ended = try await fleet.client(0).download(id, wait: 60)
            #expect(ended.state == "succeeded")
            return id
        }

        /// A request by curl: its head and the digest of the body.
        private func head(_ arguments: String, _ url: String) async throws -> String {
            try await ChildProcess.run(
                "bash", ["-c", "curl -sS -D - -o /dev/null \(arguments) '\(url)'"]
            ).output
        }

        /// The most memory that a process has used so far, in KiB; see proc(5).
        private func peak(_ process: Int32) throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
            return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        }

        @Test(.timeLimit(.minutes(5)))
        func everyReplicaServesContentAndAwaitsTheOneThatHasIt() async throws {
            try await Fleet.with({ _, _ in Fleet.Plan(settings: Self.quick) }) { fleet in
                _ = try await fleet.origin.makeFile("large", length: 200_000_000)
                let file = "\(fleet.origin.files)/large"
                let id = try await fetch("large", fleet)
                let holder = try fleet.holder(of: id)
                let other = 1 - holder
                let url = "\(fleet.replicas[other].base)/v1/downloads/\(id)/content"
                let process = try #require(await fleet.replicas[other].identifier)
                let before = try peak(process)
                // Two requests at once, one of them slow.
                async let slow = ChildProcess.run(
                    "bash",
                    [
                        "-c",
                        "set -o pipefail; curl -fsS --limit-rate 40M '\(url)' | cmp - '\(file)'",
                    ])
                for index in [holder, other] {
                    let isWhole = try await fleet.client(index).hasContent(id, equalTo: file)
                    #expect(isWhole, "\(index)")
                }
                #expect(try await slow.status == 0)
                let growth = try peak(process) - before
                #expect(growth < 32_768, "\(growth) KiB more to pass 200 MB on")
                let part = try await ChildProcess.run(
                    "bash",
                    [
                        "-c",
                        "set -o pipefail; curl -fsS -r 123456789-150000000 '\(url)' | "
                            + "cmp - <(tail -c +123456790 '\(file)' | head -c 26543212)",
                    ])
                #expect(part.status == 0, "\(part.output)")
                let range = try await head("-r 5-9", url)
                #expect(range.hasPrefix("HTTP/1.1 206 "))
                #expect(range.contains("Content-Range: bytes 5-9/200000000\r\n"))
                #expect(range.contains("Content-Length: 5\r\n"))
                let local = try await head(
                    "-I", "\(fleet.replicas[holder].base)/v1/downloads/\(id)/content")
                let remote = try await head("-I", url)
                func fields(_ head: String) -> [String] {
                    head.split(separator: "\r\n").map(String.init).filter {
                        !$0.hasPrefix("Date:") && !$0.hasPrefix("X-Request-Id:")
                    }
                }
                #expect(fields(local) == fields(remote))
                let metrics = try await Curl.get("\(fleet.replicas[other].base)/metrics").body
                #expect(metrics.contains("\nlull_content_asked_total{answer=\"found\"} "))

                await fleet.replicas[holder].killHard()
                let away = try await head("", url)
                #expect(away.hasPrefix("HTTP/1.1 503 ") && away.contains("\r\nRetry-After: "))
                try await fleet.replicas[holder].start()
                let isBack = try await fleet.client(other).hasContent(id, equalTo: file)
                #expect(isBack)
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func contentOfAForgottenReplicaIsLostAndFetchedAgain() async throws {
            try await Fleet.with({ _, _ in Fleet.Plan(settings: Self.quick) }) { fleet in
                let base = fleet.replicas[0].base
                _ = try await fleet.origin.makeFile("a", length: 300_000)
                let file = "\(fleet.origin.files)/a"
                let id = try await fetch("a", fleet)
                let holder = try fleet.holder(of: id)
                let other = 1 - holder
                let made = try await Curl.send(
                    "PUT", "\(base)/v1/sessions/again", json: #"{"refetch_lost": true}"#)
                #expect(made.status == 201 && made.body.contains(#""refetch_lost":true"#))

                func list() async throws -> [[Substring]] {
                    let run = try await fleet.command(["replicas"])
                    #expect(run.status == 0, "\(run.errors)")
                    return run.output.split(separator: "\n").map { $0.split(separator: "\t") }
                }
                let row = try #require(try await list().first { $0[5] == "1 files" })
                #expect(row[3] == "works since" && row[6] == "300000 bytes")
                let number = String(row[0])
                let refused = try await fleet.command(["replicas", "forget", number])
                #expect(refused.status == 1)
                #expect(refused.errors.contains("replica \(number) is running"))
                await fleet.replicas[holder].killHard()
                try await eventually("the end of the lease") {
                    try await list().first { $0[0] == number }?[3] == "away since" ? () : nil
                }
                let forgotten = try await fleet.command(["replicas", "forget", number])
                #expect(forgotten.status == 0, "\(forgotten.errors)")
                #expect(forgotten.errors.contains("1 files are lost"))
                #expect(try await list().count == 1)

                let url = "\(fleet.replicas[other].base)/v1/downloads/\(id)"
                let gone = try await Curl.get("\(url)/content")
                #expect(gone.status == 410 && gone.body.contains("content-lost"))
                let events = try await Curl.get("\(fleet.replicas[other].base)/v1/events").body
                #expect(events.contains("download.content_lost"))
                _ = try await fleet.client(other).act("retry", on: id)
                let again = try await fleet.client(other).download(id, wait: 60)
                #expect(again.state == "succeeded")
                let isWhole = try await fleet.client(other).hasContent(id, equalTo: file)
                #expect(isWhole)

                // The replica comes back with its old file, which no row needs any more.
                try await fleet.replicas[holder].start()
                for index in [holder, other] {
                    let isWhole = try await fleet.client(index).hasContent(id, equalTo: file)
                    #expect(isWhole)
                }
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func sessionsMayHaveLostContentFetchedAgainByItself() async throws {
            let settings = Self.quick.merging(["LULL_REPLICA_GONE_AFTER": "2s"]) { $1 }
            try await Fleet.with({ _, _ in Fleet.Plan(settings: settings) }) { fleet in
                let base = fleet.replicas[0].base
                _ = try await fleet.origin.makeFile("a", length: 300_000)
                let made = try await Curl.send(
                    "PUT", "\(base)/v1/sessions/default", json: #"{"refetch_lost": true}"#)
                #expect(made.status == 200)
                let id = try await fetch("a", fleet)
                let holder = try fleet.holder(of: id)
                await fleet.replicas[holder].killHard()
                let other = 1 - holder
                try await eventually("the content on the other replica") {
                    let isWhole = try await fleet.client(other).hasContent(
                        id, equalTo: "\(fleet.origin.files)/a")
                    return isWhole ? () : nil
                }
                let log = try await fleet.replicas[other].log()
                #expect(log.contains("replica is gone: its content is lost"))
            }
        }

        /// The ways in which news travel: the programs between replicas and the server.
        enum Way: String, CaseIterable {
            case direct, pooled, pooledBesideDirect
        }

        /// Heartbeats come every four minutes in this test, so the news do not come with them.
        @Test(.timeLimit(.minutes(5)), arguments: Way.allCases)
        func ordersAndPoliciesReachOtherReplicas(_ way: Way) async throws {
            var bouncer: PgBouncer?
            try await Fleet.with({ scratch, cluster in
                var plan = Fleet.Plan(settings: ["LULL_LEASE": "12m"])
                plan.originBytesPerSecond = 100_000
                guard way != .direct else { return plan }
                let made = try await PgBouncer(in: scratch, before: cluster)
                bouncer = made
                try await made.start()
                plan.url = { _ in made.url }
                plan.settings["LULL_DATABASE_POOLER"] = "transaction"
                if way == .pooledBesideDirect {
                    plan.settings["LULL_DATABASE_DIRECT_URL"] = cluster.url
                }
                return plan
            }) { fleet in
                _ = try await fleet.origin.makeFile("slow", length: 12_000_000)
                // The order goes to the replica that does not run the download: each runs some.
                var ids: [String] = []
                for _ in 0..<6 {
                    ids.append(
                        try await fleet.client(1).create(
                            LullClient.Order(url: "\(fleet.origin.base)/slow")
                        ).id)
                }
                try await eventually("transfers under way") {
                    let running = try await fleet.client(0).downloads(in: ["running"])
                    return running.count == 6 ? () : nil
                }
                for id in ids { _ = try await fleet.client(0).act("cancel", on: id) }
                for id in ids {
                    let ended = try await fleet.client(0).download(id, wait: 60)
                    #expect(ended.state == "canceled")
                }
                try await fleet.client(0).putPolicy(#"{"bandwidth": "7M"}"#)
                try await eventually("the policy in the other replica") {
                    let metrics = try await Curl.get("\(fleet.replicas[1].base)/metrics").body
                    return metrics.contains("lull_bandwidth_limit_bytes_per_second ") ? () : nil
                }
            }
            await bouncer?.stop()
        }
    }
}
