// A reader who follows README or a page beside it gets the shown output: its curl lines are run.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct ReadmeTests {
        private static func text(_ path: String) throws -> String {
            String(
                decoding: try Data(contentsOf: URL(filePath: Repository.path(path))), as: UTF8.self)
        }

        @Test(
            .timeLimit(.minutes(5)),
            arguments: [
                ("README.md", 1), ("docs/tutorial.md", 5), ("docs/downloads.md", 1),
                ("docs/gallery.md", 10),
            ])
        func everyExamplePrintsItsOutput(page: String, outputs: Int) async throws {
            let text = try Self.text(page)
            let examples = ReadmeExample.all(in: text)
            #expect(examples.count { $0.output != nil } >= outputs, "\(page) shows what it prints")
            // The destinations that scripts/run allows, as in README.
            try await World.with(settings: ["LULL_DOWNLOAD_DESTINATIONS": "public,loopback"]) {
                world in
                let ports = [
                    "8080": String(world.lull.base.split(separator: ":")[2]),
                    "9000": String(try await freePort()),
                ]
                _ = try world.scratch.folder("reader")
                for (name, file) in ReadmeExample.files(in: text) {
                    try world.scratch.write(moved(file, to: ports), to: "reader/\(name)")
                }
                for (example, printed) in zip(
                    examples, try await run(examples, at: ports, in: world.scratch))
                {
                    guard let shown = example.output else { continue }
                    #expect(
                        ReadmeExample.isAsShown(printed, shown),
                        "\(page): \(example.commands)\nprinted:\n\(printed)")
                }
            }
        }

        /// Runs all examples in one shell, so that variables are kept.
        private func run(
            _ examples: [ReadmeExample], at ports: [String: String], in scratch: Scratch
        ) async throws -> [String] {
            let separator = "=== the next example ==="
            let script = examples.map(\.commands).joined(separator: "\necho\necho '\(separator)'\n")
            // standardwebhooks is installed in .venv.
            let tools = URL(filePath: try Repository.python()).deletingLastPathComponent()
            try scratch.write(
                "cd '\(scratch.file("reader"))'\n"
                    + "PATH='\(tools.path(percentEncoded: false))':$PATH\n"
                    + moved(script, to: ports), to: "reader.sh")
            let result = try await ChildProcess.run("bash", [scratch.file("reader.sh")])
            #expect(result.status == 0)
            let back = Dictionary(uniqueKeysWithValues: ports.map { ($1, $0) })
            let parts = moved(result.output, to: back)
                .split(separator: separator, omittingEmptySubsequences: false).map(String.init)
            #expect(parts.count == examples.count, "\(result.output)")
            return parts
        }

        /// The text with other ports on loopback, because tests may not take fixed ones.
        private func moved(_ text: String, to ports: [String: String]) -> String {
            ports.reduce(text) { text, port in
                text.replacing("127.0.0.1:\(port.key)", with: "127.0.0.1:\(port.value)")
                    .replacing("\"127.0.0.1\", \(port.key)", with: "\"127.0.0.1\", \(port.value)")
            }
        }

        @Test func aFileIsAPythonBlockThatNamesItself() {
            let markdown = "Words.\n```python\n# a.py: it\nb\n```\n```python\nc\n```\n"
            #expect(ReadmeExample.files(in: markdown) == ["a.py": "# a.py: it\nb\n"])
        }

        @Test func anExampleIsACurlBlockAndTheBlockRightBelowIt() {
            let markdown = """
                ```sh
                scripts/run
                ```
                ```sh
                curl -sS http://127.0.0.1:8080/livez
                ```

                ```text
                ok
                ```
                ```sh
                id=$(curl -sS http://127.0.0.1:8080/version)
                ```
                Words between.
                ```json
                {}
                ```
                """
            #expect(
                ReadmeExample.all(in: markdown) == [
                    ReadmeExample(commands: "curl -sS http://127.0.0.1:8080/livez", output: "ok"),
                    ReadmeExample(commands: "id=$(curl -sS http://127.0.0.1:8080/version)"),
                ])
        }

        @Test(arguments: [
            ("{\"id\": \"dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C\"}", true),
            ("{\"id\": \"dl_01JZ8Q2M9V7T4K3H2G1F0E9D8D\"} ", true),
            ("{\"id\": \"evt_01JZ8Q2M9V7T4K3H2G1F0E9D8C\"}", false),
            ("{\"id\": null}", false),
            ("{\"id\": \"dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C\"}\nmore", false),
        ])
        func onlyWhatVariesMayDiffer(printed: String, isSame: Bool) {
            #expect(
                ReadmeExample.isAsShown(printed, "{\"id\": \"dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C\"}")
                    == isSame)
        }

        @Test(arguments: ["67209", "{\"length\": 67209}", "67209 bytes from http://a/"])
        func aNumberIsComparedAsItIs(shown: String) {
            #expect(ReadmeExample.isAsShown(shown, shown))
            let printed = shown.replacing("67209", with: "67210")
            #expect(!ReadmeExample.isAsShown(printed, shown))
        }

        @Test func anEllipsisStandsForWhatIsLeftOut() {
            let shown = "{\n  \"state\": \"waiting\",\n  …\n  \"blockers\": […\n}"
            let printed =
                "{\n \"state\": \"waiting\",\n \"a\": 1,\n \"b\": 2,\n \"blockers\": [{}]\n}"
            #expect(ReadmeExample.isAsShown(printed, shown))
            #expect(!ReadmeExample.isAsShown(printed.replacing("waiting", with: "failed"), shown))
        }
    }
}
