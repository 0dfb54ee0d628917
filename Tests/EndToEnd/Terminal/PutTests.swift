// `lull put`: a file of this machine, sent by way of the service.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct PutTests {
        private static func id(in text: String) throws -> String {
            let found = try #require(text.firstMatch(of: #/up_[0-9A-Z]{26}/#), "\(text)")
            return String(found.output)
        }

        private static func digest(_ path: String) async throws -> String {
            let sum = try await ChildProcess.run("sha256sum", [path])
            return sum.output.split(separator: " ").first.map(String.init) ?? ""
        }

        /// A world with a receiver of PUTs and one that speaks tus, and a file to send.
        private static func with(
            length: Int, _ body: (World, Taker, TusReceiver) async throws -> Void
        ) async throws {
            try await World.with { world in
                try world.scratch.write(
                    String(repeating: "a line of a file\n", count: length / 17), to: "a.txt")
                try await Taker.with(in: world.scratch) { taker in
                    try await TusReceiver.with(in: world.scratch) { receiver in
                        try await body(world, taker, receiver)
                    }
                }
            }
        }

        @Test(.timeLimit(.minutes(5)), arguments: [0, 17, 5_000_000])
        func aFileOfThisMachineArrives(length: Int) async throws {
            try await Self.with(length: length) { world, taker, receiver in
                let whole = try await Self.digest(world.scratch.file("a.txt"))
                let http = "\(taker.bases[0])/whole/a.txt"
                let put = try await TerminalTests.run(
                    ["put", "a.txt", http, "--label", "a=b"], in: world)
                #expect(put.status == 0, "\(put.errors)")
                let id = try Self.id(in: put.output)
                #expect(try await taker.digest(of: "a.txt") == whole)
                #expect(!put.errors.contains("\u{1b}"), "no terminal, no bars")
                let tus = try await TerminalTests.run(
                    ["put", "a.txt", "\(receiver.server.base)/plain/b.txt", "--tus"], in: world)
                #expect(tus.status == 0, "\(tus.errors)")
                #expect(try await receiver.digest(of: "b.txt") == whole)
                // What has ended is sent again, by another upload.
                let again = try await TerminalTests.run(["put", "a.txt", http], in: world)
                #expect(again.status == 0, "\(again.errors)")
                #expect(try Self.id(in: again.output) != id)
                #expect(try taker.requests(of: "a.txt").count(where: \.whole) == 2)
                let shown = try await TerminalTests.done(["show", id], in: world)
                #expect(shown.contains("\(id) succeeded"), "\(shown)")
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func theSameCommandGoesOnAfterCtrlC() async throws {
            try await Self.with(length: 3_000_000) { world, taker, _ in
                let place = "\(taker.bases[0])/whole/a.txt"
                // The sending waits, so that the first command cannot end by itself.
                let words = ["put", "a.txt", place, "--hold"]
                let child = try ChildProcess(
                    "/bin/bash",
                    [
                        "-c", "cd \"$0\" && exec \"$1\" \"${@:2}\"", world.scratch.path,
                        try Repository.lull(),
                    ] + words,
                    environment: Environment.plain.merging(["LULL_SERVER": world.lull.base]) { $1 },
                    log: world.scratch.file("put.log"))
                try await eventually("the suspension") {
                    try world.scratch.read("put.log").contains("up_") ? () : nil
                }
                child.send(SIGINT)
                #expect(await child.status() == 130)
                let log = try world.scratch.read("put.log")
                let id = try Self.id(in: log)
                #expect(log.contains("the same command goes on"), "\(log)")
                let again = try await TerminalTests.run(words + ["--no-wait"], in: world)
                #expect(again.status == 0 && again.output == "\(id)\n", "\(again.errors)")
                _ = try await TerminalTests.done(["resume", id], in: world)
                #expect(try await TerminalTests.done(["wait", id], in: world) == "")
                let whole = try await Self.digest(world.scratch.file("a.txt"))
                #expect(try await taker.digest(of: "a.txt") == whole)
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func aStagingOutlivesTheEndOfTheService() async throws {
            try await Self.with(length: 60_000_000) { world, taker, _ in
                let place = "\(taker.bases[0])/whole/a.txt"
                async let put = TerminalTests.run(["put", "a.txt", place], in: world)
                let client = world.lull.base
                try await eventually("the staging") {
                    let list = try await Curl.get("\(client)/v1/uploads").body
                    return list.contains("\"receiving\"") ? () : nil
                }
                await world.lull.killHard()
                try await world.lull.startSupervised()
                let end = try await put
                #expect(end.status == 0, "\(end.errors)")
                let whole = try await Self.digest(world.scratch.file("a.txt"))
                #expect(try await taker.digest(of: "a.txt") == whole)
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func whatCannotBeSentIsRefusedInOneSentence() async throws {
            try await Self.with(length: 17) { world, taker, _ in
                let place = "\(taker.bases[0])/whole/a.txt"
                let cases: [([String], Int32, String)] = [
                    (["none.txt", place], 2, "none.txt cannot be read"),
                    ([".", place], 2, "not a regular file"),
                    (["a.txt", "ftp://a.example/"], 1, "must begin with https"),
                    (["a.txt", "nowhere:a"], 1, "PLACE name is not a folder"),
                    (
                        [
                            "a.txt", place, "--checksum",
                            "sha256:" + String(repeating: "0", count: 64),
                        ], 1, "digest"
                    ),
                    (["a.txt", "\(taker.bases[0])/early/403/a.txt"], 6, "lull edit up_"),
                ]
                for (words, status, sentence) in cases {
                    let run = try await TerminalTests.run(["put"] + words, in: world)
                    #expect(run.status == status, "\(words): \(run.output) \(run.errors)")
                    #expect(run.errors.contains(sentence), "\(words): \(run.errors)")
                    #expect(CommandRun.internalWords(in: run.errors) == [])
                }
            }
        }
    }
}
