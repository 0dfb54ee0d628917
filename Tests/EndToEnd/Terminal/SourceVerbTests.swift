// `lull every` and `lull sources` against the real service.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct SourceVerbTests {
        private static let settings = ["LULL_SOURCE_MIN_INTERVAL": "1s", "LULL_RETRY_BASE": "20ms"]

        private static func done(_ words: [String], _ world: World) async throws -> String {
            try await TerminalTests.done(words, in: world)
        }

        private static func write(_ text: String, _ world: World) throws {
            try text.write(
                toFile: world.origin.files + "/list", atomically: true, encoding: .utf8)
        }

        @Test(.timeLimit(.minutes(3)))
        func aSourceIsMadeLookedAtChangedAndRemoved() async throws {
            try await World.with(settings: Self.settings) { world in
                try Self.write("first", world)
                let url = "\(world.origin.base)/list"
                let line = ["every", "6h", url, "--keep", "3", "--priority", "0.2"]
                let made = try await Self.done(line, world)
                #expect(made.hasPrefix("list is new\n"), "\(made)")
                #expect(made.contains("every 6h") && made.contains("the last 3"), "\(made)")
                #expect(made.contains("next looks    ") && made.contains("lull sources show list"))
                let again = try await Self.done(line, world)
                #expect(again.hasPrefix("list is as it was\n"), "\(again)")
                try await eventually("the first version") {
                    let list = try await Self.done(["sources"], world)
                    return list.contains("  changed  ") ? () : nil
                }
                // A source is looked at as soon as it has another interval.
                let changed = try await Self.done(["every", "12h"] + line.dropFirst(2), world)
                #expect(changed.hasPrefix("list has changed\n"), "\(changed)")
                let look = try await Self.done(["sources", "look", "list", "--wait"], world)
                #expect(look.hasPrefix("list unchanged, dl_"), "\(look)")
                try Self.write("second", world)
                let next = try await Self.done(["sources", "look", "list", "--wait"], world)
                #expect(next.hasPrefix("list changed, dl_"), "\(next)")
                let shown = try await Self.done(["sources", "show", "list"], world)
                #expect(shown.hasPrefix("list active\n"), "\(shown)")
                #expect(shown.contains("version 2") && shown.contains("  unchanged  "))
                let ids = try await Self.done(["sources", "versions", "list", "-q"], world)
                #expect(ids.split(separator: "\n").count == 2, "\(ids)")
                // The look without a change has no file of its own.
                let folder = world.scratch.file("versions")
                let saved = try await Self.done(
                    ["save", "--source", "list", "-d", folder], world)
                #expect(saved.split(separator: "\n").count == 2, "\(saved)")
                #expect(try world.scratch.read("versions/list") == "first")
                #expect(try world.scratch.read("versions/list-2") == "second")
                let set = try await Self.done(
                    ["sources", "set", "list", "schedule=15 2 * * *", "keep=2,30d"]
                        + ["template.priority="], world)
                #expect(set.contains("15 2 * * * (UTC)"), "\(set)")
                #expect(set.contains("the last 2 and those younger than 30d"), "\(set)")
                #expect(!set.contains("priority"), "\(set)")
                for (verb, said) in [
                    ("suspend", "list suspended\n"), ("resume", "list active\n"),
                    ("rm", "list removed; its downloads stay\n"),
                ] {
                    #expect(try await Self.done(["sources", verb, "list"], world) == said)
                }
                #expect(try await Self.done(["sources", "-q"], world) == "")
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func aLineThatCannotBeIsRefusedByItsOption() async throws {
            try await World.with(settings: Self.settings) { world in
                let url = "\(world.origin.base)/list"
                _ = try await Self.done(["every", "6h", url, "-q"], world)
                let cases: [([String], Int32, String)] = [
                    (["every", "hourly", url], 2, "\"hourly\" is not a schedule"),
                    (["every", "1ms", url], 1, "WHEN every must be"),
                    (["every", "61 2 * * *", url], 1, "WHEN cron has \"61\""),
                    (["every", "6h", url, "--zone", "UTC"], 2, "--zone goes with"),
                    (["every", "0 2 * * *", url, "--zone", "Mars"], 1, "--zone is no time zone"),
                    (["every", "6h", url, "--keep", "some"], 2, "--keep: \"some\" is neither"),
                    (["every", "6h", url, "--keep", "0"], 1, "--keep last must be"),
                    (["every", "6h", url, "--overlap", "no"], 1, "--overlap must be"),
                    (["every", "6h", url, "--priority", "7"], 1, "--priority must be"),
                    (["every", "6h", "ftp://a/list"], 2, "--name"),
                    (["every", "6h", "ftp://a/b"], 1, "URL"),
                    (["every", "6h", "\(url)?other", "-q"], 2, "list looks at"),
                    (["every", "6h"], 2, "needs URL"),
                    (["every", "6h", url, "--after", "22:00"], 2, "not have the flag --after"),
                    (["sources", "set", "list", "keep"], 2, "is not MEMBER=VALUE"),
                    (["sources", "look", "none", "--wait"], 1, "There is no source \"none\""),
                    (["list", "--source", "list", "--uploads"], 2, "--source goes with"),
                    (["list", "--source", "-"], 1, "--source must have"),
                ]
                for (words, status, said) in cases {
                    let run = try await TerminalTests.run(words, in: world)
                    #expect(run.status == status, "\(words): \(run.errors)")
                    #expect(run.errors.contains(said), "\(words): \(run.errors)")
                }
                // A look of a file that is not there fails.
                let failed = try await TerminalTests.run(
                    ["sources", "look", "list", "--wait"], in: world)
                #expect(failed.status == 1 && failed.output.hasPrefix("list failed ("))
            }
        }
    }
}
