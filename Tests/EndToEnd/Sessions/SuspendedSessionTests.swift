// The wait of a download in a session that is suspended and resumed.
import Foundation
import Testing

extension EndToEndTests {
    @Suite struct SuspendedSessionTests {
        private struct Created: Decodable { let id: String }

        private struct Explanation: Decodable {
            let timeBlocked: [String: Double]
        }

        private struct Attempts: Decodable {
            struct Attempt: Decodable { let timeBlocked: [String: Double]? }
            let data: [Attempt]
        }

        private func read<Value: Decodable>(
            _ type: Value.Type, _ answer: Curl.Answer
        ) throws -> Value {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try decoder.decode(type, from: Data(answer.body.utf8))
        }

        @Test func itsTimeIsToldInExplanationsAndAttempts() async throws {
            try await World.with { world in
                _ = try await world.origin.makeFile("f", length: 1000)
                let session = "\(world.lull.base)/v1/sessions/nightly"
                _ = try await Curl.send("PUT", session, json: "{}")
                _ = try await Curl.send("POST", "\(session)/suspend", json: "")
                let created = try read(
                    Created.self,
                    try await Curl.send(
                        "POST", "\(world.lull.base)/v1/downloads",
                        json: #"{"url":"\#(world.origin.base)/f","session":"nightly"}"#))
                let path = "\(world.lull.base)/v1/downloads/\(created.id)"
                let waiting = try await eventually("a second of the wait is told") {
                    let found = try read(
                        Explanation.self, try await Curl.get("\(path)/explain")
                    ).timeBlocked
                    return found["session_suspended", default: 0] > 1 ? found : nil
                }
                #expect(waiting["slots", default: 0] < 1)
                _ = try await Curl.send("POST", "\(session)/resume", json: "")
                let attempt = try await eventually("its attempt has ended") {
                    try read(Attempts.self, try await Curl.get("\(path)/attempts"))
                        .data.first?.timeBlocked
                }
                #expect(attempt["session_suspended", default: 0] > 1)
            }
        }
    }
}
