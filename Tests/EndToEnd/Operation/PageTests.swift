// The pages for operators: every shown command is run, and prints the shown output.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct PageTests {
        private static let pages = [
            "how-to/backup", "how-to/credentials", "how-to/full-disk", "how-to/lost-volume",
            "how-to/move-database", "how-to/replicas", "how-to/stuck-receiver", "how-to/upgrade",
            "how-to/doctor", "how-to/tls", "how-to/stores", "how-to/night", "how-to/slow-by-day",
            "how-to/monthly-budget", "how-to/receive-webhooks", "how-to/several-apps",
            "how-to/ten-thousand", "how-to/each-night", "how-to/tell-people", "terminal",
            "policies", "places", "uploads", "sources",
        ]
        /// The number of blocks of each page that another script runs, or that show another
        /// machine.
        private static let unrun = ["docs/how-to/containers.md": 2]
        /// Generated pages, which `MadePageTests` compares with the program; tests cover their
        /// tables.
        private static let made = ["docs/commands.md", "docs/settings.md"]
        /// Pages that `ReadmeTests` runs.
        private static let served = [
            "docs/tutorial.md", "docs/downloads.md", "docs/gallery.md",
        ]

        @Test(.timeLimit(.minutes(10)), arguments: pages)
        func everyCommandOfAPageDoesWhatItSays(name: String) async throws {
            let page = DocumentPage(try Self.text("docs/\(name).md"))
            let scratch = try Scratch()
            let ports = try await Self.ports()
            func moved(_ text: String) -> String {
                text.replacing(/\b[0-9]{4}\b/) { ports[String($0.output)] ?? String($0.output) }
            }
            let stage = try Self.text("Tests/Pages/stage.sh")
            let lull = URL(filePath: try Repository.lull()).deletingLastPathComponent()
            try scratch.write(
                "cd '\(try scratch.folder("stage"))'\n"
                    + "PATH='\(lull.path(percentEncoded: false))':$PATH\n"
                    + "repository='\(Repository.path("."))'\n" + moved(stage)
                    + "echo '\(DocumentPage.separator)'\n" + moved(page.script), to: "page.sh")
            let result = try await ChildProcess.run("bash", [scratch.file("page.sh")])
            let back = Dictionary(uniqueKeysWithValues: ports.map { ($1, $0) })
            let parts =
                result.output
                .replacing(/\b[0-9]{5}\b/) { back[String($0.output)] ?? String($0.output) }
                .split(separator: DocumentPage.separator, omittingEmptySubsequences: false)
                .dropFirst()
            #expect(result.status == 0, "\(name): \(result.output)")
            #expect(parts.count == page.blocks.count, "\(name): \(result.output)")
            for (block, printed) in zip(page.blocks, parts) {
                guard let shown = block.output else { continue }
                #expect(
                    ReadmeExample.isAsShown(String(printed), shown),
                    "\(name): \(block.commands)\nprinted:\n\(printed)")
            }
            try scratch.remove()
        }

        @Test func everyShellBlockOfThePagesIsRun() throws {
            let root = Repository.path("docs")
            let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String }
            for name in (names ?? []).filter({ $0.hasSuffix(".md") }) {
                let path = "docs/\(name)"
                guard !name.hasPrefix("decisions/") else { continue }
                let page = DocumentPage(try Self.text(path))
                guard !Self.made.contains(path) else { continue }
                #expect(page.unrun <= Self.unrun[path] ?? 0, "\(path) shows commands as bash")
                let isRun =
                    Self.served.contains(path)
                    || Self.pages.contains { path == "docs/\($0).md" }
                #expect(isRun || page.blocks.isEmpty, "\(path) is not run")
            }
            for path in Self.pages.map({ "docs/\($0).md" }) {
                #expect(try !DocumentPage(Self.text(path)).blocks.isEmpty, "\(path)")
            }
        }

        /// Every link of a page leads to an existing file and to an existing heading.
        @Test func everyLinkOfThePagesLeadsSomewhere() throws {
            let root = Repository.path("docs")
            let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String }
            let pages = (names ?? []).filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }
            for page in pages + ["README.md", "SECURITY.md", "CONTRIBUTING.md", "ARCHITECTURE.md"] {
                let folder = URL(filePath: Repository.path(page)).deletingLastPathComponent()
                for link in try Self.text(page).matches(of: /\]\(([^)#:\s]+)(#[^)]*)?\)/) {
                    let target = folder.appending(path: String(link.output.1)).standardized
                    let isThere = FileManager.default.fileExists(
                        atPath: target.path(percentEncoded: false))
                    #expect(isThere, "\(page): \(link.output.1)")
                }
            }
        }

        @Test func aPageIsReadAsBlocks() {
            let page = DocumentPage(
                """
                Words.
                <!-- test
                start
                -->
                ```sh
                lull version
                ```

                ```text
                lull 0.1.0
                ```
                ```bash
                docker run
                ```
                ```sh
                true
                ```
                Words between.
                ```text
                no output of it
                ```
                """)
            #expect(
                page.blocks == [
                    DocumentPage.Block(commands: "start", isShown: false),
                    DocumentPage.Block(
                        commands: "lull version", isShown: true, output: "lull 0.1.0"),
                    DocumentPage.Block(commands: "true", isShown: true),
                ])
            #expect(page.unrun == 1)
        }

        private static func text(_ path: String) throws -> String {
            String(
                decoding: try Data(contentsOf: URL(filePath: Repository.path(path))), as: UTF8.self)
        }

        /// The free ports on loopback that replace those that the pages name.
        private static func ports() async throws -> [String: String] {
            var ports: [String: String] = [:]
            for name in ["8080", "8081", "8443", "5432", "9000", "9001"] {
                ports[name] = String(try await freePort())
            }
            return ports
        }
    }
}
