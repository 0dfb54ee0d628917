// Open streams and long polls end with their key, through the whole program.
import Foundation
import Support
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct KeyEndTests {
        /// curl gives up after a minute (its status 28), long after the service has to end both.
        @Test func streamsAndLongPollsEndAfterLullKeysRevoke() async throws {
            let scratch = try Scratch()
            let lull = try await LullProcess(in: scratch, settings: ["LULL_AUTH": "keys"])
            do {
                try await lull.start()
                let own = ["LULL_DATA_DIR": scratch.file("data")]
                let made = try await CommandRun.of(
                    ["keys", "create", "--app", "a", "--scope", "downloads:read"], settings: own,
                    in: scratch)
                let key = made.output.split(separator: "\n").joined()
                let bearer = ["-sS", "--max-time", "60", "-H", "Authorization: Bearer \(key)"]
                async let stream = ChildProcess.run(
                    "curl",
                    bearer + ["-N", "-H", "Accept: text/event-stream", lull.base + "/v1/events"])
                async let poll = ChildProcess.run(
                    "curl",
                    bearer + ["-w", "%{http_code}", lull.base + "/v1/events?wait=60"])
                // Both requests are open by then; if one is not, it is refused and the test fails.
                try await Task.sleep(for: .seconds(2))
                let ended = try await CommandRun.of(
                    ["keys", "revoke", "1"], settings: own, in: scratch)
                #expect(ended.status == 0, "\(ended.errors)")
                let (events, page) = try await (stream, poll)
                #expect(events.status == 0 && page.status == 0)
                #expect(events.output.contains("retry: 3000"))
                #expect(events.output.contains("event: unauthorized\ndata: {"))
                #expect(page.output.hasSuffix("401"))
                #expect(page.output.contains("was revoked"))
            } catch {
                Issue.record(error, "lull's log ends:\n\(try await lull.logEnd())")
            }
            try await lull.sweep()
            try scratch.remove()
        }

        /// Behind a proxy every request is local: nobody is let in by mistake.
        @Test func aProxyInFrontOpensNothingByMistake() async throws {
            let remote = ["X-Forwarded-For: 203.0.113.7"]
            let rows: [(settings: [String: String], fields: [String], status: Int)] = [
                ([:], [], 201), ([:], remote, 403), (["LULL_AUTH": "none"], remote, 201),
                (["LULL_PUBLIC_URL": "https://lull.example"], [], 401),
                (["LULL_PUBLIC_URL": "https://lull.example/localhost"], [], 401),
                (["LULL_PUBLIC_URL": "http://localhost:8080"], [], 201),
                (["LULL_PUBLIC_URL": "http://localhost:8080/lull"], [], 201),
                (["LULL_PUBLIC_URL": "https://lull.example", "LULL_AUTH": "none"], remote, 201),
            ]
            let scratch = try Scratch()
            for row in rows {
                let lull = try await LullProcess(in: scratch, settings: row.settings)
                do {
                    try await lull.start()
                    let reply = try await Curl.send(
                        "POST", lull.base + "/v1/downloads",
                        json: #"{"url":"\#(lull.base)/livez","suspended":true}"#,
                        fields: row.fields)
                    #expect(reply.status == row.status, "\(row): \(reply.body)")
                    if row.status == 403 { #expect(reply.body.contains("LULL_AUTH=keys")) }
                } catch {
                    Issue.record(error, "lull's log ends:\n\(try await lull.logEnd())")
                }
                try await lull.sweep()
            }
            try scratch.remove()
        }
    }
}
