// The files of docker/ against the program: their settings exist, their probes are served, their
// times fit.
import Foundation
import Testing

extension EndToEndTests {
    @Suite struct DeploymentTests {
        private static let compose = ["docker/compose.yaml", "docker/compose.replicas.yaml"]
        private static let kubernetes = "docker/kubernetes/lull.yaml"

        private static func text(_ path: String) throws -> String {
            String(
                decoding: try Data(contentsOf: URL(filePath: Repository.path(path))), as: UTF8.self)
        }

        @Test(arguments: compose + [kubernetes, "docker/Dockerfile"])
        func everySettingIsOne(path: String) throws {
            let settings = try Self.text("docs/settings.md")
            let words = try Self.text(path).split(separator: "\n")
                .filter { !$0.drop(while: \.isWhitespace).hasPrefix("#") }
                .flatMap { $0.matches(of: /\bLULL_[A-Z_]+\b/).map { String($0.output) } }
            #expect(!words.isEmpty)
            for word in words {
                // A secret of another name is read from the file that its variable names.
                let name = word.hasSuffix("_URL_FILE") ? String(word.dropLast(5)) : word
                #expect(settings.contains("| `\(name)` |"), "\(path): \(word)")
            }
        }

        /// An orderly stop ends before the engine kills.
        @Test func theGraceOfAStopIsLongerThanItsOwn() throws {
            func seconds(_ text: String, _ pattern: Regex<(Substring, Substring)>) -> [Int] {
                text.matches(of: pattern).compactMap { Int($0.output.1) }
            }
            for path in Self.compose {
                let text = try Self.text(path)
                let own = seconds(text, /LULL_SHUTDOWN_GRACE: ([0-9]+)s/)
                let engines = seconds(text, /stop_grace_period: ([0-9]+)s/)
                #expect(try #require(own.max()) < (try #require(engines.min())), "\(path)")
            }
            let text = try Self.text(Self.kubernetes)
            let own = seconds(text, /LULL_SHUTDOWN_GRACE, value: ([0-9]+)s/)
            let engines = seconds(text, /terminationGracePeriodSeconds: ([0-9]+)/)
            #expect(try #require(own.max()) < (try #require(engines.min())))
        }

        @Test func probesAskForWhatIsServed() throws {
            let served = try Self.text("openapi.yaml")
            let asked = try Self.text(Self.kubernetes).matches(of: /httpGet: \{path: ([a-z\/]+),/)
                .map { String($0.output.1) }
            #expect(Set(asked) == ["/livez", "/readyz"])
            for path in asked { #expect(served.contains("\n  \(path):\n"), "\(path)") }
        }

        /// The program refuses every address that the network policy denies: the ends of each range
        /// are tried.
        @Test(.timeLimit(.minutes(3)))
        func theProgramRefusesWhatTheNetworkPolicyDenies() async throws {
            let ranges = try Self.text(Self.kubernetes)
                .matches(of: /- ([0-9]+\.[0-9]+\.[0-9]+\.[0-9]+)\/[0-9]+\n/)
                .map { String($0.output.1) }
            #expect(ranges.count >= 10)
            try await World.with(settings: ["LULL_DOWNLOAD_DESTINATIONS": "public"]) { world in
                for address in ranges {
                    let answer = try await Curl.send(
                        "POST", "\(world.lull.base)/v1/downloads",
                        json: #"{"url": "http://\#(address)/"}"#)
                    #expect(answer.status == 422, "\(address): \(answer)")
                }
            }
        }
    }
}
