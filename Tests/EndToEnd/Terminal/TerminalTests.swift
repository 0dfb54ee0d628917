// The commands of the client against the real service.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct TerminalTests {
        /// Runs a command of the client in a world.
        static func run(
            _ words: [String], in world: World, _ settings: [String: String] = [:]
        ) async throws -> CommandRun {
            try await CommandRun.of(
                words,
                settings: ["LULL_SERVER": world.lull.base, "TZ": "UTC"].merging(settings) { $1 },
                in: world.scratch)
        }

        /// Runs a command that has to succeed, and returns its output.
        static func done(_ words: [String], in world: World) async throws -> String {
            let run = try await run(words, in: world)
            #expect(run.status == 0, "\(words): \(run.output) \(run.errors)")
            #expect(CommandRun.internalWords(in: run.errors) == [])
            return run.output
        }

        static func id(in text: String) throws -> String {
            let found = try #require(text.firstMatch(of: #/dl_[0-9A-Z]{26}/#), "\(text)")
            return String(found.output)
        }

        @Test(.timeLimit(.minutes(5)))
        func aDownloadIsFollowedThroughItsLife() async throws {
            // The service ignores the settings of the client.
            try await World.with(settings: [
                "LULL_SERVER": "http://127.0.0.1:1", "LULL_KEY": "x", "LULL_KEY_FILE": "/nowhere",
            ]) { world in
                let digest = try await world.origin.makeFile("a.bin", length: 40_000)
                let url = "\(world.origin.base)/a.bin"
                let added = try await Self.done(
                    ["add", url, "--checksum", digest, "--label", "ticket=7"], in: world)
                let id = try Self.id(in: added)
                #expect(try await Self.done(["wait", id, "--timeout", "2m"], in: world) == "")
                let shown = try await Self.done(["show", id], in: world)
                #expect(shown.contains("\(id) succeeded, 40 kB"), "\(shown)")
                #expect(shown.contains("attempt 1: succeeded") && shown.contains(digest))
                let watched = try await Self.run(["watch", id], in: world)
                #expect(watched.status == 0 && watched.output == "")
                #expect(watched.errors.contains("\(id) a.bin succeeded"), "\(watched.errors)")
                let sum = try await ChildProcess.run(
                    "bash",
                    [
                        "-c", "LULL_SERVER=$1 \"$0\" cat \(id) | sha256sum", try Repository.lull(),
                        world.lull.base,
                    ])
                #expect(sum.output.hasPrefix(digest), "\(sum.output)")
                let events = try await Self.done(["events", id], in: world)
                #expect(events.contains("download.created \(id) a.bin"), "\(events)")
                #expect(events.contains("download.succeeded \(id)"))
                let row = try await Self.done(["ls", "--label", "ticket=7"], in: world)
                #expect(row.hasPrefix("ID ") && row.contains("\(id)  succeeded  100 %"), "\(row)")
                #expect(try await Self.done(["list", "-q"], in: world) == "\(id)\n")
                let json = try await Self.done(["list", "--json"], in: world)
                #expect(json.hasPrefix("{") && json.split(separator: "\n").count == 1)
                #expect(try await Self.done(["rm", id], in: world) == "\(id) deleted\n")
                let gone = try await Self.run(["show", id], in: world)
                #expect(gone.status == 1 && gone.errors.hasPrefix("lull: "), "\(gone.errors)")
            }
        }

        /// The proxies of the environment do not listen, and a proxy would see the key.
        @Test(.timeLimit(.minutes(5)))
        func noProxyOfTheEnvironmentIsAsked() async throws {
            try await World.with { world in
                for name in ["http_proxy", "all_proxy", "ALL_PROXY"] {
                    for proxy in ["http://127.0.0.1:1", "socks5h://127.0.0.1:1"] {
                        let run = try await Self.run(["list"], in: world, [name: proxy])
                        #expect(run.status == 0, "\(name) \(proxy): \(run.errors)")
                    }
                }
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func whatWaitsIsExplainedChangedAndActedUpon() async throws {
            try await World.with { world in
                let url = "\(world.origin.base)/b.bin"
                let added = try await Self.done(["add", url, "--after", "+3h"], in: world)
                let id = try Self.id(in: added)
                #expect(added == "\(id)\n")
                let why = try await Self.done(["why", id], in: world)
                #expect(
                    why.hasPrefix("It does not begin before to") && why.contains("(in ")
                        && why.contains("\n  earliest_begin_date, since "), "\(why)")
                let edited = try await Self.done(["edit", id, "--priority", "0.9"], in: world)
                #expect(edited == "\(id)\n  priority: 0.5 -> 0.9\n", "\(edited)")
                let over = try await Self.run(["wait", id, "--timeout", "1s"], in: world)
                #expect(over.status == 5, "\(over.errors)")
                for (verb, words) in [
                    ("pause", "suspended"), ("resume", "waiting"), ("cancel", "canceled"),
                    ("retry", "waiting"), ("cancel", "canceled"),
                ] {
                    let said = try await Self.done([verb, id], in: world)
                    #expect(said.hasPrefix("\(id) \(words)"), "\(verb): \(said)")
                }
                #expect(try await Self.run(["wait", id], in: world).status == 1)
                try world.scratch.write(
                    "# three\n\(url)?1\n  \(url)?2  \n\n\(url)?3\n", to: "urls")
                let ids = try await Self.done(
                    ["add", "-q", "-i", world.scratch.file("urls"), "--hold", "--label", "x=y"],
                    in: world)
                #expect(ids.split(separator: "\n").count == 3, "\(ids)")
                let filter = ["--state", "suspended", "--label", "x=y"]
                let counted = try await Self.done(["cancel", "-n"] + filter, in: world)
                #expect(counted.hasPrefix("3 downloads matched"), "\(counted)")
                let asked = try await Self.run(["cancel"] + filter, in: world)
                #expect(
                    asked.status == 2
                        && asked.errors.contains("3 downloads would change; add --yes"))
                #expect(
                    try await Self.done(["cancel", "--yes"] + filter, in: world)
                        == "3 downloads matched, 3 changed\n")
                let refused = try await Self.run(["add", "ftp://a/b"], in: world)
                #expect(
                    refused.status == 1 && refused.errors.contains("lull: URL: "),
                    "\(refused.errors)")
                let late = try await Self.run(["add", url, "--after", "later"], in: world)
                #expect(
                    late.status == 2 && late.errors.contains("--after: \"later\" is not a time"))
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func sessionsPolicyForecastAndWebhooksAreAtTheTerminal() async throws {
            try await World.with { world in
                let set = try await Self.done(
                    ["sessions", "set", "nightly", "is_discretionary=true", "max_running=4"],
                    in: world)
                #expect(set.contains("nightly active"), "\(set)")
                #expect(set.contains("is_discretionary=true") && set.contains("max_running=4"))
                let cleared = try await Self.done(
                    ["sessions", "set", "nightly", "max_running="], in: world)
                #expect(!cleared.contains("max_running"), "\(cleared)")
                #expect(try await Self.done(["sessions"], in: world).contains("nightly"))
                for (verb, state) in [("suspend", "suspended"), ("resume", "active")] {
                    let said = try await Self.done(["sessions", verb, "nightly"], in: world)
                    #expect(said.hasPrefix("nightly \(state)"), "\(said)")
                }
                let hour = Int(Date.now.timeIntervalSince1970) / 3600
                let window = String(
                    format: "%02d:00-%02d:00", (hour + 6) % 24, (hour + 8) % 24)
                let policy = """
                    {"time_zone": "UTC", "windows": {"night": ["\(window)"]},
                     "rules": [{"name": "nights", "match": {"is_discretionary": true},
                                "require": ["window night"]}]}
                    """
                try world.scratch.write(policy, to: "policy.json")
                let file = world.scratch.file("policy.json")
                let added = try await Self.done(
                    [
                        "add", "\(world.origin.base)/c.bin", "--session", "nightly", "--after",
                        "+1h",
                    ], in: world)
                let id = try Self.id(in: added)
                let tried = try await Self.done(["policy", "try", file], in: world)
                #expect(tried.contains("of 1 waiting downloads: "), "\(tried)")
                #expect(
                    try await Self.done(["policy", "set", file], in: world).contains("in force"))
                #expect(try await Self.done(["policy", "show"], in: world).contains("\"nights\""))
                #expect(
                    try await Self.done(["why", id], in: world).contains("by the rule \"nights\""))
                let forecast = try await eventually("a forecast of one download") {
                    let text = try await Self.done(["forecast"], in: world)
                    return text.contains(id) ? text : nil
                }
                #expect(forecast.contains("waiting downloads: 1\n"), "\(forecast)")
                let secret = try await Self.done(["webhooks", "secret"], in: world)
                #expect(secret.hasPrefix("whsec_"))
                #expect(try await Self.done(["webhooks"], in: world).contains("default"))
                #expect(
                    try await Self.done(["webhooks", "deliveries"], in: world).hasPrefix("ID "))
                let none = try await Self.run(["webhooks", "redeliver", "whd_x"], in: world)
                #expect(none.status == 1 && none.errors.hasPrefix("lull: "), "\(none.errors)")
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func noServiceAndNoKeyHaveTheirExitStatus() async throws {
            let scratch = try Scratch()
            let port = try await freePort()
            let away = try await CommandRun.of(
                ["list"], settings: ["LULL_SERVER": "http://127.0.0.1:\(port)"], in: scratch)
            #expect(away.status == 3 && away.output == "")
            #expect(
                away.errors.contains("no service can be reached at http://127.0.0.1:\(port)")
                    && away.errors.contains("LULL_SERVER"), "\(away.errors)")
            for (words, said) in [
                (["--server", "ftp://x"], "is not the address of a service"),
                (["--key-file", "/nowhere"], "/nowhere cannot be read"),
            ] {
                let run = try await CommandRun.of(["list"] + words, in: scratch)
                #expect(run.status == 2 && run.errors.contains(said), "\(run.errors)")
            }
            let lull = try await LullProcess(in: scratch, settings: ["LULL_AUTH": "keys"])
            do {
                try await lull.start()
                let own = ["LULL_DATA_DIR": scratch.file("data")]
                let made = try await CommandRun.of(
                    ["keys", "create", "--app", "a", "--scope", "downloads:read"], settings: own,
                    in: scratch)
                try scratch.write(made.output, to: "key")
                let key = made.output.split(separator: "\n").joined()
                let cases: [([String], [String: String], Int32, String)] = [
                    (["list"], [:], 4, "--key-file"), (["list"], ["LULL_KEY": "lull_0"], 4, "key"),
                    (["list"], ["LULL_KEY": key], 0, ""),
                    (["list"], ["LULL_KEY_FILE": scratch.file("key"), "LULL_KEY": "x"], 0, ""),
                    (["list", "--key-file", scratch.file("key")], [:], 0, ""),
                    (["add", "http://127.0.0.1:9/"], ["LULL_KEY": key], 4, "downloads:write"),
                ]
                for (words, settings, status, said) in cases {
                    let run = try await CommandRun.of(
                        words, settings: settings.merging(["LULL_SERVER": lull.base]) { $1 },
                        in: scratch)
                    #expect(run.status == status, "\(words): \(run.errors)")
                    #expect(run.errors.contains(said) || said.isEmpty, "\(run.errors)")
                }
            } catch {
                Issue.record(error, "lull's log ends:\n\(try await lull.logEnd())")
            }
            try await lull.sweep()
            try scratch.remove()
        }
    }
}
