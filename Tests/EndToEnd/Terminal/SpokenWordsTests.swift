// Every verb with what it is refused: no line names a request of the API.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct SpokenWordsTests {
        /// The values that stand for the operands of commands: things that do not exist, and texts
        /// that cannot be.
        private static let operands: [[String: String]] = [
            [
                "ID": "dl_01AAAAAAAAAAAAAAAAAAAAAAAA", "NAME": "none", "URL": "ftp://a.example/b",
                "WHEN": "6h", "FILE": "nothing.json", "PLACE": "ftp://a.example/b",
                "MEMBER=VALUE": "priority=7", "VALUE": "1", "RATE": "5X", "HOURS": "22-6",
            ],
            [
                "ID": "x y", "NAME": "?", "URL": "http://127.0.0.1:1/a", "WHEN": "70 2 * * *",
                "FILE": "policy.json", "PLACE": "none:a", "MEMBER=VALUE": "none=1", "VALUE": "a",
                "RATE": "25:00,1M", "HOURS": "22-6",
            ],
        ]

        /// Options that the service refuses, for the commands that have them.
        private static let options = [
            "--priority 7", "--session none", "--state bad", "--type bad.type", "--event bad",
            "--origin bad", "--error bad", "--source ?", "--on-conflict bad", "--to none:a",
            "--overlap bad", "--webhook bad", "--if-changed-from bad", "--order bad",
            "--download bad", "--ttl 1s", "--proxy bad",
        ]

        /// The commands of the client with the usage of each, from the page that is made of them.
        private static func commands() throws -> [(name: String, usage: String, section: String)] {
            let page = String(
                decoding: try Data(
                    contentsOf: URL(filePath: Repository.path("docs/commands.md"))), as: UTF8.self)
            let client = page.split(separator: "\n## ")[1]
            return client.split(separator: "\n### lull ").dropFirst().map { section in
                let usage = section.firstMatch(of: #/\n(lull .*)\n/#)?.output.1 ?? ""
                return (
                    String(section.prefix { $0 != "\n" }), String(usage), String(section)
                )
            }
        }

        /// The command lines of a command: each set of operands, and each option that is refused.
        private static func lines(
            _ name: String, _ usage: String, _ section: String
        ) -> [String] {
            // `top` and `events` have no end where they have a terminal or follow.
            let words = usage.dropFirst("lull \(name)".count).split(separator: " ")
                .filter { !$0.hasPrefix("[-") && !$0.hasPrefix("-") && $0 != "[OPTION]..." }
                .map { String($0).replacing(#/\[|\]|\.\.\./#, with: "") }
            func line(_ values: [String: String]) -> String {
                ([name] + words.compactMap { values[$0].map { "'\($0)'" } }).joined(separator: " ")
            }
            let needsWait = section.contains("| `--timeout TIME`") ? " --timeout 1ms" : ""
            let isSure = section.contains("| `--yes`") ? " --yes" : ""
            let refused = options.filter { section.contains("`\($0.split(separator: " ")[0]) ") }
            let plain = operands.map { line($0) + needsWait + isSure }
            var usual = operands[0]
            usual["URL"] = "http://127.0.0.1:1/a"
            return plain
                + refused.map { option in
                    let hasFilter = section.contains("| `--state STATE`")
                    let base = hasFilter && words == ["ID"] ? name : line(usual)
                    return "\(base) \(option)" + needsWait + isSure
                }
        }

        @Test(.timeLimit(.minutes(4)))
        func noVerbNamesARequestWhereItIsRefused() async throws {
            try await World.with { world in
                let commands = try Self.commands()
                #expect(commands.count > 40)
                let lines = commands.flatMap { Self.lines($0.name, $0.usage, $0.section) }
                let separator = "=== the next line ==="
                try world.scratch.write(#"{"rules": [{"name": 1}], "x": 2}"#, to: "policy.json")
                let lull = URL(filePath: try Repository.lull()).deletingLastPathComponent()
                let script =
                    "cd '\(world.scratch.path)'\nPATH='\(lull.path(percentEncoded: false))':$PATH\n"
                    + "export TZ=UTC LULL_SERVER='\(world.lull.base)'\n"
                    + lines.map { "echo '\(separator)'\nlull \($0) 2>&1 </dev/null" }
                    .joined(separator: "\n") + "\nexit 0\n"
                try world.scratch.write(script, to: "lines.sh")
                let run = try await ChildProcess.run("bash", [world.scratch.file("lines.sh")])
                let parts = run.output.split(
                    separator: separator, omittingEmptySubsequences: false
                ).dropFirst().map(String.init)
                #expect(parts.count == lines.count)
                for (line, said) in zip(lines, parts) {
                    #expect(CommandRun.requests(in: said) == [], "lull \(line)\n\(said)")
                    #expect(CommandRun.internalWords(in: said) == [], "lull \(line)\n\(said)")
                }
                let refusals = parts.count { $0.contains("lull: ") }
                #expect(refusals > lines.count / 2, "\(refusals) of \(lines.count)")
            }
        }
    }
}
