// Files that are sent to a receiver which Lull's authors did not write: httpbin, which is Flask on
// gunicorn.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct RelayForeignTests {
        /// The answer of httpbin to a small file, which repeats the body and its fields.
        private struct Echo: Decodable {
            let data: String
            let headers: [String: String]
        }

        /// Text of a length, as httpbin repeats bytes that are not text in another way.
        private static func text(_ length: Int) -> String {
            String(String(repeating: "a line of a file\n", count: length / 17 + 1).prefix(length))
        }

        /// Sends a file, and returns the body of the receiver's answer.
        private func send(
            _ length: Int, by method: String, to url: String, through world: World
        ) async throws -> String {
            let name = "file-\(length).txt"
            try world.scratch.write(Self.text(length), to: "origin/\(name)")
            let client = RelayClient(world)
            let id = try await client.create(
                "\(world.origin.base)/\(name)", to: #"{"url":"\#(url)","method":"\#(method)"}"#)
            let end = try await client.settled(id)
            #expect(end.state == "succeeded", "\(end)")
            #expect(end.sent?.status == 200, "\(end)")
            #expect(end.countOfBytesSent == length && end.attempt == 2, "\(end)")
            return try #require(end.sent?.body?.text)
        }

        @Test(.timeLimit(.minutes(3)), arguments: [("PUT", "put"), ("POST", "post")])
        func flaskTakesAFile(method: String, path: String) async throws {
            try await World.with { world in
                let httpbin = try await ForeignServer.httpbin(in: world.scratch)
                try await httpbin.during {
                    let url = "\(httpbin.base)/\(path)"
                    let small = try await send(100, by: method, to: url, through: world)
                    let echo = try JSONDecoder().decode(Echo.self, from: Data(small.utf8))
                    #expect(echo.data == Self.text(100))
                    #expect(echo.headers["Content-Length"] == "100")
                    #expect(echo.headers["Content-Type"] == "text/plain")
                    #expect(
                        echo.headers["Content-Disposition"]
                            == #"attachment; filename="file-100.txt""#)
                    #expect(echo.headers["Repr-Digest"]?.hasPrefix("sha-256=:") == true)
                    #expect(echo.headers["Expect"] == nil)
                    // gunicorn answers 100 Continue before it reads a body.
                    let large = try await send(2_000_000, by: method, to: url, through: world)
                    #expect(large.hasPrefix("{"))
                    #expect(large.contains(#""data": "a line of a file\na line"#))
                }
            }
        }
    }
}
