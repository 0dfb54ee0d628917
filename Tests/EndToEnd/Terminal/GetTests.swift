// `lull get`: a file whole or not at all, whatever happens meanwhile.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct GetTests {
        private static func get(
            _ words: [String], in world: World
        ) async throws -> CommandRun {
            try await TerminalTests.run(["get"] + words, in: world)
        }

        private static func digest(_ path: String) async throws -> String {
            try await ChildProcess.run("sha256sum", [path]).output
        }

        @Test(.timeLimit(.minutes(5)))
        func aFileIsWrittenWholeAndProved() async throws {
            try await World.with { world in
                let digest = try await world.origin.makeFile("a.bin", length: 3_000_000)
                let url = "\(world.origin.base)/a.bin"
                let run = try await Self.get(
                    [url, "--after", "+6s", "--checksum", digest], in: world)
                #expect(run.status == 0 && run.output == "a.bin\n", "\(run.errors)")
                #expect(run.errors.contains(" waiting: "), "\(run.errors)")
                #expect(!run.errors.contains("\u{1b}"), "no terminal, no bars")
                #expect(try await Self.digest(world.scratch.file("a.bin")).hasPrefix(digest))
                let places = ["\(world.origin.files)/a.bin", world.scratch.file("a.bin")]
                let times = try places.map {
                    let found = try FileManager.default.attributesOfItem(atPath: $0)
                    return (found[.modificationDate] as? Date).map { Int($0.timeIntervalSince1970) }
                }
                #expect(times[0] != nil && times[0] == times[1], "the time of the origin's file")
                // The service does not have to keep content that is here.
                let id = try TerminalTests.id(in: run.errors)
                let content = try await TerminalTests.run(["cat", id], in: world)
                #expect(
                    content.status == 1 && content.errors.contains("content"), "\(content.errors)")
                // An existing file is refused before any request is sent.
                let again = try await Self.get([url], in: world)
                #expect(again.status == 2 && again.errors.contains("a.bin exists"))
                let count = try await TerminalTests.done(["list", "-q"], in: world)
                #expect(count.split(separator: "\n").count == 1)
                let over = try await Self.get(
                    [url, "-o", "a.bin", "--overwrite", "--keep", "--json"], in: world)
                #expect(
                    over.status == 0 && over.output.hasPrefix("{\"id\":\"dl_"), "\(over.errors)")
                let kept = try TerminalTests.id(in: over.output)
                #expect(try await TerminalTests.run(["cat", kept], in: world).status == 0)
                try await Self.followLinks(to: kept, digest, world)
                try Self.expectNoDraft(world)
            }
        }

        /// curl follows what `lull link` prints, whole, in parts and with HEAD.
        private static func followLinks(
            to id: String, _ digest: String, _ world: World
        ) async throws {
            let link = try await TerminalTests.done(["link", id, "--ttl", "2m"], in: world)
            let url = link.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(url.hasPrefix(world.lull.base + "/content/"), "\(url)")
            for part in [[], ["-r", "0-999999"], ["-C", "-"]] {
                let got = try await ChildProcess.run(
                    "curl", ["-sSf", "-o", world.scratch.file("linked.bin")] + part + [url])
                #expect(got.status == 0, "\(part): \(got.output)")
            }
            #expect(try await Self.digest(world.scratch.file("linked.bin")).hasPrefix(digest))
            let head = try await ChildProcess.run("curl", ["-sSfI", "--compressed", url])
            #expect(head.output.contains("Content-Length: 3000000\r\n"), "\(head.output)")
            #expect(head.output.contains("Content-Security-Policy: sandbox\r\n"))
            #expect(!head.output.contains("Content-Encoding"))
            let other = try await ChildProcess.run(
                "curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", url + "A"])
            #expect(other.output.hasSuffix("404"))
            // The origin says text/plain of files without a known ending.
            let shown = try await TerminalTests.done(["link", id, "--inline"], in: world)
            let inPlace = try await ChildProcess.run(
                "curl", ["-sSfI", shown.trimmingCharacters(in: .whitespacesAndNewlines)])
            #expect(inPlace.output.contains("Content-Disposition: inline"), "\(inPlace.output)")
            for (words, status) in [(["--ttl", "1s"], 1), (["--ttl", "x"], 2)] {
                let run = try await TerminalTests.run(["link", id] + words, in: world)
                #expect(run.status == status && run.output == "", "\(words) \(run.errors)")
            }
            let log = try await world.lull.logEnd()
            #expect(!log.contains(url.split(separator: "/").last ?? "-"), "a log has no links")
            let page = try await ChildProcess.run(
                "curl", ["-sSf", "--compressed", "-D", "-", world.lull.base + "/openapi.yaml"])
            #expect(page.output.contains("Content-Encoding: gzip\r\n"))
            #expect(page.output.contains("openapi: 3.1.0"), "curl expands it")
        }

        @Test(.timeLimit(.minutes(5)))
        func whatFailsLeavesNoFile() async throws {
            try await World.with { world in
                _ = try await world.origin.makeFile("a.bin", length: 1000)
                let cases: [([String], Int32, String)] = [
                    (["\(world.origin.base)/none.bin"], 1, "failed: "),
                    (
                        [
                            "\(world.origin.base)/a.bin", "--checksum",
                            "sha256:" + String(repeating: "0", count: 64),
                        ], 1, "digest"
                    ),
                    (["\(world.origin.base)/a.bin", "--max-bytes", "10"], 6, "lull edit dl_"),
                    (
                        ["\(world.origin.base)/a.bin", "--min-bytes", "2KB"], 1,
                        "min_bytes is 2000"
                    ),
                    (
                        ["\(world.origin.base)/a.bin", "--accept-type", "image/*"], 1,
                        "accept_content_types allows only image/*"
                    ),
                    (
                        [
                            "\(world.origin.base)/none.bin", "--retry-status", "404",
                            "--retry-attempts", "2", "--retry-for", "2s",
                        ], 1, "404"
                    ),
                    (["\(world.origin.base)/a.bin", "--retry-for", "2s"], 2, "--retry-status"),
                    (["\(world.origin.base)/a.bin", "--digest"], 2, "--user"),
                    (["\(world.origin.base)/a.bin", "-o", "nowhere/x"], 1, "cannot be written"),
                    (
                        ["\(world.origin.base)/a.bin", "--after", "+1h", "--timeout", "2s"], 5,
                        "continues at the service"
                    ),
                    (["http://10.0.0.1/x"], 1, "LULL_DOWNLOAD_DESTINATIONS"),
                ]
                for (words, status, said) in cases {
                    let run = try await Self.get(words, in: world)
                    #expect(run.status == status, "\(words): \(run.errors)")
                    #expect(run.errors.contains(said), "\(words): \(run.errors)")
                    #expect(run.output == "")
                }
                let names = try FileManager.default.contentsOfDirectory(atPath: world.scratch.path)
                #expect(!names.contains { $0.hasSuffix(".bin") || $0 == "x" }, "\(names)")
                try Self.expectNoDraft(world)
            }
        }

        /// The service is killed while the client watches, and later while it sends the content.
        @Test(.timeLimit(.minutes(5)))
        func aRestartOfTheServiceEndsNothing() async throws {
            try await World.with(originBytesPerSecond: 1_000_000) { world in
                let digest = try await world.origin.makeFile("a.bin", length: 6_000_000)
                let child = try Self.start(["\(world.origin.base)/a.bin", "-o", "-"], in: world)
                let client = world.client
                try await eventually("bytes that arrived") {
                    let running = try await client.downloads(in: ["running"])
                    return running.contains { $0.countOfBytesReceived > 100_000 } ? () : nil
                }
                await world.lull.killHard()
                try await eventually("the client sees the loss") {
                    try world.scratch.read("get.err").contains("trying again") ? () : nil
                }
                try await world.lull.start()
                let status = await child.status()
                let said = try world.scratch.read("get.err")
                #expect(status == 0, "\(said)")
                #expect(try await Self.digest(world.scratch.file("get.out")).hasPrefix(digest))
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func ctrlCLeavesTheDownloadAtTheService() async throws {
            try await World.with { world in
                let child = try Self.start(
                    ["\(world.origin.base)/a.bin", "-o", "file", "--after", "+1h"], in: world)
                let said = try await eventually("the reason") {
                    let text = try world.scratch.read("get.err")
                    return text.contains(" waiting: ") ? text : nil
                }
                child.send(SIGINT)
                #expect(await child.status() == 130)
                let id = try TerminalTests.id(in: said)
                #expect(try world.scratch.read("get.err").contains("lull watch \(id)"))
                let shown = try await TerminalTests.done(["show", id], in: world)
                #expect(shown.contains("\(id) waiting"))
                #expect(!FileManager.default.fileExists(atPath: world.scratch.file("file")))
                try Self.expectNoDraft(world)
            }
        }

        /// On a terminal, made by Python's pty, there are bars; with NO_COLOR no colours.
        ///
        /// The transfer takes several times the two looks after which progress is told.
        @Test(.timeLimit(.minutes(3)))
        func aTerminalHasBars() async throws {
            try await World.with(originBytesPerSecond: 500_000) { world in
                _ = try await world.origin.makeFile("a.bin", length: 3_000_000)
                let script = """
                    import os, pty, sys
                    os.environ['TERM'] = 'xterm'
                    os.environ['LULL_SERVER'] = sys.argv[2]
                    os.chdir(sys.argv[4])
                    status = pty.spawn([sys.argv[1], 'get', sys.argv[3]])
                    status = status or pty.spawn([sys.argv[1], 'list'])
                    os.environ['NO_COLOR'] = '1'
                    print('PLAIN', flush=True)
                    sys.exit(status or pty.spawn([sys.argv[1], 'list']))
                    """
                let run = try await ChildProcess.run(
                    "python3",
                    [
                        "-c", script, try Repository.lull(), world.lull.base,
                        "\(world.origin.base)/a.bin", world.scratch.path,
                    ])
                #expect(run.status == 0, "\(run.output)")
                #expect(
                    run.output.contains("█") && run.output.contains(" of 3.0 MB"), "\(run.output)")
                let parts = run.output.components(separatedBy: "PLAIN")
                #expect(parts.count == 2 && parts[0].contains("\u{1b}[32msucceeded\u{1b}[0m"))
                #expect(parts.last?.contains("succeeded") == true)
                #expect(parts.last?.contains("\u{1b}") == false)
            }
        }

        private static func start(_ words: [String], in world: World) throws -> ChildProcess {
            try ChildProcess(
                "/bin/bash",
                [
                    "-c", "cd \"$0\" && exec \"$1\" get \"${@:2}\" > get.out 2> get.err",
                    world.scratch.path, try Repository.lull(),
                ] + words,
                environment: Environment.plain.merging(["LULL_SERVER": world.lull.base]) { $1 },
                log: world.scratch.file("get.log"))
        }

        private static func expectNoDraft(_ world: World) throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: world.scratch.path)
            #expect(!names.contains { $0.hasPrefix(".lull-") && $0.hasSuffix(".part") }, "\(names)")
        }
    }
}
