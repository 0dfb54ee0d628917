// The receivers in examples/: each accepts a webhook of Lull once, and nothing else.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct ExampleTests {
        /// The command that starts a receiver.
        struct Example: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let command: @Sendable (Scratch) async throws -> [String]
        }

        static let all = [
            Example(testDescription: "receiver-python") { _ in
                [
                    try Repository.python(),
                    Repository.path("examples/receiver-python/receiver.py"),
                ]
            },
            Example(testDescription: "receiver-javascript") { _ in
                [
                    "/usr/bin/env", "node",
                    Repository.path("examples/receiver-javascript/receiver.mjs"),
                ]
            },
            Example(testDescription: "receiver-java") { _ in
                ["/usr/bin/env", "java", Repository.path("examples/receiver-java/Receiver.java")]
            },
            Example(testDescription: "receiver-perl") { _ in
                ["/usr/bin/env", "perl", Repository.path("examples/receiver-perl/receiver.pl")]
            },
            Example(testDescription: "receiver-swift") { _ in
                // The folder stays: the client that the example uses is built once.
                let folder = Repository.path(".build/receiver-swift")
                let build = [
                    "build", "--package-path", Repository.path("examples/receiver-swift"),
                    "--scratch-path", folder, "-j", "2",
                ]
                var built = try await ChildProcess.run("swift", build)
                if built.status != 0 {
                    // A build of an earlier tree does not look for new files of the client.
                    try FileManager.default.removeItem(atPath: folder)
                    built = try await ChildProcess.run("swift", build)
                }
                #expect(built.status == 0, "\(built.output)")
                return [folder + "/debug/Receiver"]
            },
        ]

        @Test(.timeLimit(.minutes(5)), arguments: all)
        func receiversTakeEachGenuineEventOnce(_ example: Example) async throws {
            try await World.with { world in
                let words = try await example.command(world.scratch)
                let port = try await freePort()
                let settings = [
                    "SECRET": try await world.client.webhookSecret(), "PORT": "\(port)",
                ]
                let receiver = try ChildProcess(
                    words[0], Array(words.dropFirst()),
                    environment: Environment.plain.merging(settings) { $1 },
                    log: world.scratch.file("example"))
                let url = "http://127.0.0.1:\(port)/"
                try await eventually("the receiver") {
                    try await post(to: url, []) != "000" ? () : nil
                }
                _ = try await world.origin.makeFile("a", length: 1000)
                let made = try await world.client.create(
                    .init(url: "\(world.origin.base)/a", webhookUrl: url))
                let printed = "download.succeeded \(made.id)"
                try await eventually("the event") {
                    try world.scratch.read("example").contains(printed) ? () : nil
                }
                try await refusesForgeries(url, as: world)
                let lines = try world.scratch.read("example").split(separator: "\n")
                #expect(lines.count { $0.hasPrefix("download.") } == 1, "\(lines)")
                receiver.send(SIGKILL)
                _ = await receiver.status()
            }
        }

        /// Sends a forged delivery and a repeated one; the receiver refuses both.
        private func refusesForgeries(_ url: String, as world: World) async throws {
            let secret = try await world.client.webhookSecret()
            let now = Int(Date(timeIntervalSinceNow: 0).timeIntervalSince1970)
            let script = """
                import sys; from datetime import datetime, timezone
                from standardwebhooks import Webhook
                when = datetime.fromtimestamp(int(sys.argv[2]), timezone.utc)
                print(Webhook(sys.argv[1]).sign('evt_1', when, sys.argv[3]))
                """
            let body = #"{"type":"download.succeeded","data":{"id":"dl_forged"}}"#
            func fields(_ secret: String, _ seconds: Int) async throws -> [String] {
                let signed = try await ChildProcess.run(
                    try Repository.python(), ["-c", script, secret, "\(seconds)", body])
                let signature = signed.output.trimmingCharacters(in: .whitespacesAndNewlines)
                return [
                    "webhook-id: evt_1", "webhook-timestamp: \(seconds)",
                    "webhook-signature: \(signature)",
                ]
            }
            let other = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
            #expect(try await post(to: url, try await fields(other, now), body) == "401")
            #expect(try await post(to: url, try await fields(secret, now - 400), body) == "401")
            #expect(try await post(to: url, try await fields(secret, now), body + " ") == "401")
            #expect(try await post(to: url, [], body) == "401")
        }

        /// The status of the answer; 000 if there is none.
        private func post(
            to url: String, _ fields: [String], _ body: String = "{}"
        ) async throws -> String {
            let run = try await ChildProcess.run(
                "curl",
                ["-s", "-o", "/dev/null", "-w", "%{http_code}", "--data-binary", body, url]
                    + fields.flatMap { ["-H", $0] })
            return run.output
        }
    }
}
