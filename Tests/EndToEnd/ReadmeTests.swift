// Whoever follows README sees what README shows: its curl lines run against the real service.
import Foundation
import Testing

extension EndToEndTests {
    struct ReadmeTests {
        private static let readme = Repository.path("README.md")

        @Test(
            .timeLimit(.minutes(5)), .enabled(if: FileManager.default.fileExists(atPath: readme)))
        func everyExamplePrintsWhatReadmeShows() async throws {
            let text = String(
                decoding: try Data(contentsOf: URL(filePath: Self.readme)), as: UTF8.self)
            let examples = ReadmeExample.all(in: text)
            #expect(examples.count { $0.output != nil } >= 3, "README shows what its lines print")
            // The destinations that scripts/run allows, as README says to start the service.
            try await World.with(settings: ["LULL_DOWNLOAD_DESTINATIONS": "public,loopback"]) {
                world in
                let address = String(world.lull.base.dropFirst("http://".count))
                for (example, printed) in zip(
                    examples, try await run(examples, at: address, in: world.scratch))
                {
                    guard let shown = example.output else { continue }
                    #expect(
                        ReadmeExample.isAsShown(printed, shown),
                        "README: \(example.commands)\nprinted:\n\(printed)")
                }
            }
        }

        /// Runs all examples in one shell, as a reader does, so that variables live on.
        private func run(
            _ examples: [ReadmeExample], at address: String, in scratch: Scratch
        ) async throws -> [String] {
            let separator = "=== the next example ==="
            let script = examples.map(\.commands).joined(separator: "\necho\necho '\(separator)'\n")
            _ = try scratch.folder("reader")
            try scratch.write(
                "cd '\(scratch.file("reader"))'\n"
                    + script.replacing("127.0.0.1:8080", with: address), to: "reader.sh")
            let result = try await ChildProcess.run("bash", [scratch.file("reader.sh")])
            #expect(result.status == 0)
            let parts = result.output.replacing(address, with: "127.0.0.1:8080")
                .split(separator: separator, omittingEmptySubsequences: false).map(String.init)
            #expect(parts.count == examples.count)
            return parts
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

        @Test func anEllipsisStandsForWhatIsLeftOut() {
            let shown = "{\n  \"state\": \"waiting\",\n  …\n  \"blockers\": […\n}"
            let printed =
                "{\n \"state\": \"waiting\",\n \"a\": 1,\n \"b\": 2,\n \"blockers\": [{}]\n}"
            #expect(ReadmeExample.isAsShown(printed, shown))
            #expect(!ReadmeExample.isAsShown(printed.replacing("waiting", with: "failed"), shown))
        }
    }
}
