// The first hour: somebody new types line after line, and each shows what it should.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct FirstHourTests {
        /// A line that is typed, and what the terminal shows.
        private struct Step {
            let command: String
            let isShown: Bool
            var lines: [String] = []

            /// Reads the steps of a transcript.
            static func all(in text: String) -> [Step] {
                var steps: [Step] = []
                for line in text.split(separator: "\n").map(String.init)
                where !line.hasPrefix("# ") {
                    if line.hasPrefix("$ ") || line.hasPrefix("% ") {
                        steps.append(
                            Step(
                                command: String(line.dropFirst(2)), isShown: line.hasPrefix("$")))
                    } else if !steps.isEmpty {
                        steps[steps.count - 1].lines.append(line)
                    }
                }
                return steps
            }

            /// The step in the script: its output, and its exit status where it is not 0.
            var script: String {
                guard isShown else { return ([command] + lines).joined(separator: "\n") }
                return """
                    status=0; { \(command)
                    } 2>&1 </dev/null || status=$?
                    [ $status = 0 ] || echo "[exit $status]"
                    """
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func everyLineOfTheFirstHourShowsWhatItShould() async throws {
            let steps = Step.all(in: try Self.text("Tests/Pages/first-hour.txt"))
            #expect(steps.count { $0.isShown } >= 60)
            let ports = [
                "8080": String(try await freePort()), "9000": String(try await freePort()),
            ]
            let moved = { (text: String) in
                text.replacing(/\b[0-9]{4}\b/) { ports[String($0.output)] ?? String($0.output) }
            }
            let scratch = try Scratch()
            let separator = "=== the next line ==="
            let lull = URL(filePath: try Repository.lull()).deletingLastPathComponent()
            let script =
                [try Self.text("Tests/Pages/stage.sh")]
                + steps.map { "echo '\(separator)'\n" + $0.script }
            try scratch.write(
                "cd '\(try scratch.folder("stage"))'\n"
                    + "PATH='\(lull.path(percentEncoded: false))':$PATH\n"
                    + moved(script.joined(separator: "\n")), to: "hour.sh")
            let run = try await ChildProcess.run("bash", [scratch.file("hour.sh")])
            let back = Dictionary(uniqueKeysWithValues: ports.map { ($1, $0) })
            let parts =
                run.output.replacing(/\b[0-9]{5}\b/) {
                    back[String($0.output)] ?? String($0.output)
                }
                .split(separator: separator, omittingEmptySubsequences: false).dropFirst()
            #expect(run.status == 0, "\(run.output.suffix(2000))")
            #expect(parts.count == steps.count, "\(run.output.suffix(2000))")
            for (step, printed) in zip(steps, parts) where step.isShown {
                #expect(
                    ReadmeExample.isAsShown(
                        String(printed), step.lines.joined(separator: "\n")),
                    "\(step.command)\nprinted:\n\(printed)")
                #expect(CommandRun.requests(in: String(printed)) == [], "\(step.command)")
                #expect(CommandRun.internalWords(in: String(printed)) == [], "\(step.command)")
            }
            try scratch.remove()
        }

        private static func text(_ path: String) throws -> String {
            String(
                decoding: try Data(contentsOf: URL(filePath: Repository.path(path))), as: UTF8.self)
        }
    }
}
