// `lull keys` over the API of a running service, and in the data directory.
import Foundation
import Testing

extension EndToEndTests {
    @Suite struct KeysTests {
        @Test func keysGoOverTheAPIWhereItIsNamedAndElseIntoTheDataDirectory() async throws {
            let scratch = try Scratch()
            let lull = try await LullProcess(in: scratch, settings: ["LULL_AUTH": "keys"])
            do {
                try await lull.start()
                let listen = String(lull.base.dropFirst("http://".count))
                func run(
                    _ words: String, _ settings: [String: String]
                ) async throws -> CommandRun {
                    try await CommandRun.of(
                        words.split(separator: " ").map(String.init), settings: settings,
                        in: scratch)
                }
                // The named service is that of the data directory, and there is no key yet.
                let own = [
                    "LULL_DATA_DIR": scratch.file("data"), "LULL_LISTEN": listen,
                    "LULL_SERVER": lull.base,
                ]
                let first = try await run("keys create --app op --scope admin", own)
                #expect(first.status == 0, "\(first.errors)")
                let root = first.output.split(separator: "\n").joined()
                // From another machine, with the key alone.
                let far = ["LULL_SERVER": lull.base, "LULL_KEY": root]
                let made = try await run(
                    "keys create --app media --scope downloads:read", far)
                #expect(made.status == 0 && made.output.hasPrefix("lull_"), "\(made.errors)")
                #expect(made.errors.contains("key 2 of app media with the scopes downloads:read"))
                let limited = try await run("keys limit --app media --queued 5", far)
                let shown = "app media: any requests a second, 5 queued, any running, any"
                #expect(limited.output.hasPrefix(shown), "\(limited.output)\(limited.errors)")
                for settings in [far, own] {
                    let list = try await run("keys list", settings)
                    let rows = list.output.split(separator: "\n").map {
                        $0.split(separator: "\t").map(String.init)
                    }
                    #expect(rows.map { $0.first } == ["2", "1"], "\(list.errors)")
                    #expect(rows.first?[1] == "media" && rows.first?[4] == "downloads:read")
                    let limits = try await run("keys limit --app media", settings)
                    #expect(limits.output == limited.output)
                }
                try await refusals(root, far, run)
                let log = try scratch.read("lull.log")
                let lines = log.split(separator: "\n").filter { $0.contains("through the API") }
                #expect(lines.count == 4, "\(lines)")
                #expect(lines.allSatisfy { $0.contains("\"by_key\":1") && !$0.contains("lull_") })
            } catch {
                Issue.record(error, "lull's log ends:\n\(try await lull.logEnd())")
            }
            try await lull.sweep()
            try scratch.remove()
        }

        private func refusals(
            _ root: String, _ far: [String: String],
            _ run: (String, [String: String]) async throws -> CommandRun
        ) async throws {
            let named = try await run("keys create --app a!b", far)
            #expect(named.status == 1 && named.errors.contains("--app"), "\(named.errors)")
            let none = try await run("keys limit --app nobody", far)
            #expect(none.status == 1 && none.errors.contains("no app nobody"), "\(none.errors)")
            let absent = try await run("keys revoke 99", far)
            #expect(absent.status == 1 && absent.errors.contains("no valid key 99"))
            let last = try await run("keys revoke 1", far)
            #expect(last.status == 1 && last.errors.contains("--last"), "\(last.errors)")
            let keyless = try await run("keys list", ["LULL_SERVER": far["LULL_SERVER"] ?? ""])
            #expect(keyless.status == 4, "\(keyless.errors)")
            #expect(try await run("keys revoke 2", far).status == 0)
            #expect(try await run("keys revoke 1 --last", far).status == 0)
            #expect(try await run("keys list", far).status == 0, "it counts for some seconds more")
        }
    }
}
