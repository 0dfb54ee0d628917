// Files come out: `lull save` and `lull get` of several files, again and after an interruption.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct SaveTests {
        private static func names(_ folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        }

        @Test(.timeLimit(.minutes(5)))
        func whatIsReadyIsSavedOnceUnderDifferentNames() async throws {
            try await World.with { world in
                let base = world.origin.base
                var digests: [String] = []
                for folder in ["a", "b"] {
                    _ = try world.scratch.folder("origin/\(folder)")
                    digests.append(
                        try await world.origin.makeFile("\(folder)/same.bin", length: 30_000))
                }
                _ = try await TerminalTests.done(
                    ["sessions", "set", "s", "max_running=4"], in: world)
                let added = try await TerminalTests.done(
                    ["add", "-q", "--session", "s", "\(base)/a/same.bin", "\(base)/b/same.bin"],
                    in: world)
                let ids = added.split(separator: "\n").map(String.init)
                _ = try await TerminalTests.done(["wait"] + ids, in: world)
                let held = try TerminalTests.id(
                    in: try await TerminalTests.done(
                        ["add", "\(base)/a/same.bin?x", "--session", "s", "--hold"], in: world))
                let save = ["save", "--session", "s", "-d", "out/deep"]
                let first = try await TerminalTests.run(save, in: world)
                #expect(first.status == 1 && first.errors.contains("\(held) same.bin suspended"))
                #expect(first.errors.contains("files: 2 saved, 1 not ready"), "\(first.errors)")
                let out = world.scratch.file("out/deep")
                #expect(try Self.names(out) == ["same-2.bin", "same.bin"])
                for (name, digest) in zip(["same.bin", "same-2.bin"], digests) {
                    let sum = try await ChildProcess.run("sha256sum", ["\(out)/\(name)"])
                    #expect(sum.output.hasPrefix(digest), "\(sum.output)")
                }
                let again = try await TerminalTests.run(save + ["--release"], in: world)
                #expect(again.status == 1 && again.output == "")
                #expect(again.errors.contains("files: 2 there already, 1 not ready"))
                #expect(try Self.names(out) == ["same-2.bin", "same.bin"])
                let gone = try await TerminalTests.run(["cat", ids[0]], in: world)
                #expect(gone.status == 1 && gone.output == "", "\(gone.errors)")
                let last = try await TerminalTests.run(
                    ["save", "--session", "s", "--state", "succeeded", "-d", "out/deep"], in: world)
                #expect(last.status == 0 && last.output == "", "\(last.errors)")
                let none = try await TerminalTests.run(["save"], in: world)
                #expect(none.status == 2 && none.errors.contains("needs an ID, or a filter"))
            }
        }

        /// The bytes of an earlier command are used if they are those of the content.
        @Test(.timeLimit(.minutes(5)))
        func anInterruptedFileGoesOnAndAForeignOneIsRefused() async throws {
            try await World.with { world in
                let digest = try await world.origin.makeFile("a.bin", length: 90_000)
                let added = try await TerminalTests.done(
                    ["add", "-q", "\(world.origin.base)/a.bin"], in: world)
                let id = try TerminalTests.id(in: added)
                _ = try await TerminalTests.done(["wait", id], in: world)
                let whole = try Data(contentsOf: URL(filePath: "\(world.origin.files)/a.bin"))
                let part = URL(filePath: world.scratch.file(".lull-\(id).part"))
                for (bytes, status) in [
                    (Data(repeating: 0x21, count: 1000), Int32(1)), (whole.prefix(1000), 0),
                    (whole, 0), (whole + whole, 0), (Data(), 0),
                ] {
                    try bytes.write(to: part)
                    let run = try await TerminalTests.run(["save", id], in: world)
                    #expect(run.status == status, "\(bytes.count): \(run.errors)")
                    #expect(!FileManager.default.fileExists(atPath: part.path))
                    guard status == 0 else {
                        #expect(run.errors.contains("have the SHA-256"), "\(run.errors)")
                        continue
                    }
                    #expect(run.output == "a.bin\n")
                    let sum = try await ChildProcess.run(
                        "sha256sum", [world.scratch.file("a.bin")])
                    #expect(sum.output.hasPrefix(digest))
                    try FileManager.default.removeItem(atPath: world.scratch.file("a.bin"))
                }
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func aListIsFetchedIntoAFolderAndOnlyWhatIsMissingAgain() async throws {
            try await World.with { world in
                let base = world.origin.base
                let digest = try await world.origin.makeFile("a.bin", length: 50_000)
                _ = try await world.origin.makeFile("b.bin", length: 60_000)
                try world.scratch.write(
                    "\u{feff}# two\r\n\(base)/a.bin\tfirst.bin\tsha256:\(digest)\r\n"
                        + "\(base)/b.bin\r\n", to: "urls")
                let get = ["get", "-i", "urls", "-d", "in", "-j", "2"]
                let output = try await TerminalTests.done(get, in: world)
                #expect(Set(output.split(separator: "\n")) == ["in/first.bin", "in/b.bin"])
                #expect(try Self.names(world.scratch.file("in")) == ["b.bin", "first.bin"])
                try FileManager.default.removeItem(atPath: world.scratch.file("in/b.bin"))
                let again = try await TerminalTests.run(get, in: world)
                #expect(again.status == 0 && again.output == "in/b.bin\n", "\(again.errors)")
                #expect(again.errors.contains("1 files exist and are left alone"))
                try world.scratch.write("\(base)/a.bin\n\(base)/b.bin\tx\tmd5:1\n", to: "bad")
                let bad = try await TerminalTests.run(["get", "-i", "bad", "-d", "in"], in: world)
                #expect(bad.status == 2 && bad.errors.contains("bad:2: "), "\(bad.errors)")
                let long = Array(repeating: "\(base)/a.bin", count: 1000) + ["http://[/"]
                try world.scratch.write(long.joined(separator: "\n"), to: "long")
                let refused = try await TerminalTests.run(
                    ["add", "-q", "-i", "long", "--hold"], in: world)
                #expect(refused.status == 1 && refused.errors.contains("long:1001: "))
                #expect(
                    refused.errors.contains("the 1000 downloads before this part"),
                    "\(refused.errors)")
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func theSameCommandGoesOnAfterAnInterruption() async throws {
            try await World.with(originBytesPerSecond: 100_000) { world in
                let digest = try await world.origin.makeFile("a.bin", length: 400_000)
                let url = "\(world.origin.base)/a.bin"
                let first = try ChildProcess(
                    "/bin/bash",
                    [
                        "-c", "cd \"$0\" && exec \"$1\" get \"$2\" -d d", world.scratch.path,
                        try Repository.lull(), url,
                    ],
                    environment: Environment.plain.merging(["LULL_SERVER": world.lull.base]) { $1 },
                    log: world.scratch.file("first.log"))
                try await eventually("a running download") {
                    let list = try await TerminalTests.done(["list"], in: world)
                    return list.contains("running") ? () : nil
                }
                first.send(SIGINT)
                #expect(await first.status() == 130)
                let said = try world.scratch.read("first.log")
                #expect(said.contains("the same command goes on with it"), "\(said)")
                let id = try TerminalTests.id(in: said)
                let again = try await TerminalTests.run(["get", url, "-d", "d"], in: world)
                #expect(again.status == 0 && again.output == "d/a.bin\n", "\(again.errors)")
                #expect(again.errors.contains("\(id) is there already, and goes on"))
                #expect(try Self.names(world.scratch.file("d")) == ["a.bin"])
                let sum = try await ChildProcess.run(
                    "sha256sum", [world.scratch.file("d/a.bin")])
                #expect(sum.output.hasPrefix(digest))
                let count = try await TerminalTests.done(["list", "-q"], in: world)
                #expect(count == "\(id)\n", "one download")
            }
        }
    }
}
