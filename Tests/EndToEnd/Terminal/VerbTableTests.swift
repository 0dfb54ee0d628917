// Every verb about one download with every state: its words, and its exit status.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct VerbTableTests {
        /// The states of a download in which somebody may type a verb.
        private static let states = [
            "waiting", "suspended", "running", "attention_required", "succeeded", "failed",
            "canceled",
        ]

        /// The verbs; the last ones change the download, so each has one of its own.
        private static let verbs = [
            "show", "why", "wait --timeout 1ms", "watch --timeout 1ms", "cat", "link", "suspend",
            "resume", "cancel", "retry", "rm", "edit --priority 0.75", "edit --now",
        ]
        private static let kept = 6

        @Test(.timeLimit(.minutes(5)))
        func everyVerbSaysItsOutcomeInEveryState() async throws {
            try await World.with(
                settings: ["LULL_MAX_RUNNING_PER_ORIGIN": "30"], originBytesPerSecond: 20_000
            ) { world in
                var lines: [String] = []
                for state in Self.states {
                    let ids = try await Self.downloads(in: state, world)
                    for (place, verb) in Self.verbs.enumerated() {
                        let id = ids[max(0, place - Self.kept)]
                        let words = verb.split(separator: " ").map(String.init)
                        let run = try await TerminalTests.run(
                            words.prefix(1) + [id] + words.dropFirst(), in: world)
                        #expect(CommandRun.internalWords(in: run.errors) == [])
                        #expect(CommandRun.requests(in: run.errors + run.output) == [])
                        let isContent = verb == "cat" && run.status == 0
                        let said = isContent ? " (content)" : Self.said(run, id)
                        lines.append("\(state) | \(verb) | \(run.status) |" + said)
                    }
                }
                let expected = Self.table.split(separator: "\n").map(String.init)
                for (line, wanted) in zip(lines, expected) { #expect(line == wanted) }
                #expect(lines.count == expected.count, "\(lines.joined(separator: "\n"))")
            }
        }

        /// The first line of the output, else of the messages, without what differs between runs.
        private static func said(_ run: CommandRun, _ id: String) -> String {
            let text = run.output.isEmpty ? run.errors : run.output
            guard let line = text.split(separator: "\n").first else { return "" }
            return " "
                + String(line)
                .replacing(#/; downloads of its origin.*/#, with: "").replacing(id, with: "ID")
                .replacing(#/127\.0\.0\.1:\d+/#, with: "HOST")
                .replacing(#/(today|tomorrow) \d\d:\d\d UTC( \(in .*?\))?/#, with: "TIME")
                .replacing(#/content/[^ ]+/#, with: "content/…")
        }

        /// Creates downloads that reach a state.
        private static func downloads(in state: String, _ world: World) async throws -> [String] {
            let count = verbs.count - kept + 1
            let origin = world.origin
            _ = try await origin.makeFile("small", length: 2_000)
            _ = try await origin.makeFile("large", length: 4_000_000)
            let (path, options) =
                switch state {
                case "waiting": ("small", ["--after", "+3h"])
                case "suspended", "canceled": ("small", ["--hold"])
                case "running": ("large", [String]())
                case "attention_required": ("signed/small", [])
                case "failed": ("small", ["--min-bytes", "1MiB"])
                default: ("small", [])
                }
            let urls = (0..<count).map { "\(origin.base)/\(path)?\(state)\($0)" }
            let added = try await TerminalTests.done(["add", "-q"] + options + urls, in: world)
            let ids = added.split(separator: "\n").map(String.init)
            if state == "canceled" { _ = try await TerminalTests.done(["cancel"] + ids, in: world) }
            for id in ids {
                try await eventually("\(state) of \(id)") {
                    try await world.client.download(id).state == state ? () : nil
                }
            }
            return ids
        }
    }
}
