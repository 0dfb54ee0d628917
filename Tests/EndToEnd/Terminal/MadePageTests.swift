// Pages, the manual and completion scripts, which are made from the tables of commands and
// settings.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct MadePageTests {
        @Test(arguments: ["commands", "settings"])
        func aPageOfTheDocumentationIsWhatTheProgramPrints(_ page: String) async throws {
            let printed = try await ChildProcess.run(try Repository.lull(), ["man", page])
            #expect(printed.status == 0)
            let file = URL(filePath: Repository.path("docs/\(page).md"))
            let kept = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            #expect(kept == printed.output, "lull man \(page) > docs/\(page).md makes it")
        }

        @Test func theProgramWritesTheWordsOfStoredNumbers() async throws {
            let printed = try await ChildProcess.run(try Repository.lull(), ["man", "codes"])
            let file = URL(filePath: Repository.path("migrations/functions/codes.sql"))
            let kept = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            #expect(kept == printed.output, "lull man codes > migrations/functions/codes.sql")
        }

        @Test func theManualPageIsOneOfMdoc() async throws {
            let page = try await ChildProcess.run(try Repository.lull(), ["man"])
            #expect(page.status == 0 && page.output.hasPrefix(".Dd "))
            for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "EXIT STATUS"] {
                #expect(page.output.contains("\n.Sh \(section)\n"), "\(section)")
            }
            #expect(page.output.utf8.allSatisfy { $0 < 0x80 }, "roff reads other bytes as Latin-1")
            let lists = page.output.matches(of: #/\n\.Bl /#).count
            #expect(lists > 5 && page.output.matches(of: #/\n\.El/#).count == lists)
        }

        @Test(arguments: [
            ("bash", "lull cance", "cancel"), ("bash", "lull get --outp", "--output"),
            ("bash", "lull keys cr", "create"), ("bash", "lull keys create --ap", "--app"),
            ("bash", "lull serve --config-f", "--config-file"), ("bash", "lull pau", "pause"),
            ("bash", "lull sources sh", "show"), ("bash", "lull sou", "sources"),
            ("bash", "lull every 6h u --cat", "--catch-up"),
            ("bash", "lull list --state att", "attention_required"),
            ("bash", "lull save --sou", "--source"), ("bash", "lull sources look --wa", "--wait"),
        ])
        func bashCompletes(shell: String, line: String, word: String) async throws {
            let script = """
                source <("$0" completion bash); COMP_WORDS=(\(line)); \
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _lull; echo "${COMPREPLY[@]}"
                """
            let run = try await ChildProcess.run("bash", ["-c", script, try Repository.lull()])
            #expect(run.output.split(whereSeparator: \.isWhitespace).contains(Substring(word)))
        }

        /// Each installed shell reads its completion script.
        @Test(arguments: ["bash", "zsh", "fish"])
        func shellsReadTheirScripts(_ shell: String) async throws {
            let script = try await ChildProcess.run(try Repository.lull(), ["completion", shell])
            #expect(script.status == 0 && script.output.contains("lull"))
            let scratch = try Scratch()
            try scratch.write(script.output, to: "script")
            let found = try await ChildProcess.run("sh", ["-c", "command -v \(shell)"])
            if found.status == 0 {
                let read = try await ChildProcess.run(shell, ["-n", scratch.file("script")])
                #expect(read.status == 0, "\(read.output)")
            }
            try scratch.remove()
        }
    }
}
