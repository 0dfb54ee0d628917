// Settings are read again: LULL_CONFIG_FILE and SIGHUP.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct ReloadTests {
        /// A file of settings and the verdict of `check-config`; PATH stands for its path.
        static let files:
            [(text: String, settings: [String: String], status: Int32, words: String)] = [
                ("LULL_LEASE=45s\n", [:], 0, "LULL_LEASE=45s  # from the file"),
                ("# c\n\n  LULL_LEASE = 45s \r\n", [:], 0, "LULL_LEASE=45s  # from the file"),
                ("LULL_LEASE=\"45s\"", [:], 0, "LULL_LEASE=45s  # from the file"),
                ("LULL_LEASE='45s'", [:], 0, "LULL_LEASE=45s  # from the file"),
                ("LULL_LEASE=45s", ["LULL_LEASE": "50s"], 0, "LULL_LEASE=50s\n"),
                ("LULL_LEASE=bad", ["LULL_LEASE": "50s"], 0, "LULL_LEASE=50s\n"),
                ("", [:], 0, "LULL_LEASE=30s  # default"),
                ("LULL_SERVER=http://a", [:], 0, "LULL_LEASE=30s  # default"),
                (
                    "LULL_WEBHOOK_SECRET_FILE=PATH.none", [:], 2,
                    "LULL_WEBHOOK_SECRET_FILE: the file"
                ),
                (
                    "LULL_WEBHOOK_SECRET_FILE=PATH.none",
                    ["LULL_WEBHOOK_SECRET": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="],
                    2,
                    "LULL_WEBHOOK_SECRET_FILE: the file"
                ),
                ("LULL_LEESE=45s", [:], 2, "did you mean LULL_LEASE?"),
                ("LULL_LEASE", [:], 2, "line 1 is not NAME=VALUE"),
                ("\nLULL_LEASE=1\nLULL_LEASE=2", [:], 2, "line 3: LULL_LEASE is given more"),
                ("LEASE=45s", [:], 2, "line 1: LEASE is not a setting"),
                ("LULL_CONFIG_FILE=x", [:], 2, "the file cannot name another"),
                ("LULL_LEASE=1s", [:], 2, "LULL_LEASE"),
            ]

        @Test(.timeLimit(.minutes(2)), arguments: files)
        func aFileCountsBelowTheEnvironment(
            _ given: (text: String, settings: [String: String], status: Int32, words: String)
        ) async throws {
            let scratch = try Scratch()
            let file = scratch.file("lull.conf")
            try scratch.write(given.text.replacing("PATH", with: file), to: "lull.conf")
            for flags in [[], ["--config-file", file]] {
                var settings = given.settings
                if flags.isEmpty { settings["LULL_CONFIG_FILE"] = file }
                let run = try await CommandRun.of(
                    ["check-config"] + flags, settings: settings, in: scratch)
                #expect(run.status == given.status, "\(given.text): \(run.errors)")
                let said = given.status == 0 ? run.output : run.errors
                #expect(said.contains(given.words), "\(given.text): \(said)")
            }
            let none = try await CommandRun.of(
                ["check-config", "--config-file", "/nowhere"], in: scratch)
            #expect(none.status == 2 && none.errors.contains("/nowhere cannot be read"))
            try scratch.remove()
        }

        @Test(.timeLimit(.minutes(5)))
        func sighupTakesLiveSettingsAndNamesTheOthers() async throws {
            let scratch = try Scratch()
            let path = scratch.file("lull.conf")
            try await write(["LULL_DOWNLOAD_DESTINATIONS=loopback", "LULL_LEASE=30s"], scratch)
            try await World.with(settings: [
                "LULL_CONFIG_FILE": path, "LULL_DOWNLOAD_DESTINATIONS": "",
            ]) { world in
                _ = try await world.origin.makeFile("a.bin", length: 1000)
                let url = "\(world.origin.base)/a.bin"
                let id = try TerminalTests.id(
                    in: try await TerminalTests.done(["add", url], in: world))
                _ = try await TerminalTests.done(["wait", id], in: world)
                // A request with a secret, sealed by the key that is replaced.
                let sealed = try TerminalTests.id(
                    in: try await TerminalTests.done(
                        ["add", url, "-H", "X-Secret: s", "--hold"], in: world))
                let key = String(repeating: "7a", count: 32)
                try scratch.write(key, to: "new.key")
                let keys = "\(scratch.file("new.key")),\(world.scratch.file("data/encryption_key"))"
                try await write(
                    [
                        "LULL_DOWNLOAD_DESTINATIONS=loopback", "LULL_LEASE=45s",
                        "LULL_LOG_LEVEL=debug", "LULL_MAX_RUNNING_PER_ORIGIN=1",
                        "LULL_ENCRYPTION_KEY_FILE=\(keys)",
                    ], scratch)
                try await hangUp(world, "settings read again")
                let log = try await world.lull.log()
                #expect(log.contains("a changed setting needs a restart"))
                #expect(log.contains("\"setting\":\"LULL_LEASE\""))
                #expect(!log.contains("\"setting\":\"LULL_LOG_LEVEL\""))
                _ = try await TerminalTests.done(["resume", sealed], in: world)
                _ = try await TerminalTests.done(["wait", sealed, "--timeout", "2m"], in: world)
                try await eventually("lines for debugging") {
                    try await world.lull.log().contains("\"msg\":\"http request\"") ? () : nil
                }
                let explained = try await Curl.send(
                    "POST", "\(world.lull.base)/v1/policy/explain", json: "{\"url\": \"\(url)\"}")
                #expect(
                    explained.body.contains(#/"name":"per_origin","value":\w+,"limit":1}/#),
                    "\(explained.body)")
                try await write(["LULL_DOWNLOAD_DESTINATIONS=public"], scratch)
                try await hangUp(world, "settings read again")
                let refused = try await TerminalTests.run(["add", url], in: world)
                #expect(
                    refused.status == 1 && refused.errors.contains("LULL_DOWNLOAD_DESTINATIONS"))
                try await write(["LULL_LOG_LEVEL=loud"], scratch)
                try await hangUp(
                    world, "the new settings are not valid, so the old ones stay in force")
                #expect(try await Curl.get("\(world.lull.base)/readyz").status == 200)
                #expect(await world.lull.stop() == 0)
            }
            try scratch.remove()
        }

        private func write(_ lines: [String], _ scratch: Scratch) async throws {
            try scratch.write(lines.joined(separator: "\n") + "\n", to: "lull.conf")
        }

        /// Sends SIGHUP and waits for one more line of the log.
        private func hangUp(_ world: World, _ words: String) async throws {
            let before = try await world.lull.log().components(separatedBy: words).count
            await world.lull.send(SIGHUP)
            try await eventually(words) {
                let log = try await world.lull.log()
                return log.components(separatedBy: words).count > before ? () : nil
            }
        }
    }
}
