// Secrets are looked for everywhere they must not be: log, answers, webhooks, database.
import Foundation
import Support
import Synchronization
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct CanaryTests {
        /// A text that appears nowhere else.
        private static func token(_ name: String) -> String {
            "canary-\(name)-" + UUID().uuidString.lowercased()
        }

        @Test(.timeLimit(.minutes(3)))
        func secretsAppearNowhereOnDiskOrInTheLog() async throws {
            let canaries = Canaries()
            let origin = try Self.origin()
            defer { origin.close() }
            let hook = try OriginServer { _ in OriginStep.answer("204 No Content") }
            defer { hook.close() }
            let scratch = try Scratch()
            let lull = try await LullProcess(
                in: scratch,
                settings: [
                    "LULL_LOG_LEVEL": "debug", "LULL_RETRY_BASE": "10ms",
                    "LULL_PROXY_DESTINATIONS": "loopback",
                    "LULL_WEBHOOK_SECRET": canaries.webhookSecret,
                ])
            do {
                try await lull.start()
                let told = try await live(lull.base, origin, hook, canaries)
                let webhooks = hook.requests.map { request in
                    String(decoding: request.body, as: UTF8.self)
                        + request.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
                }
                #expect(webhooks.count >= 4)
                let dump = try await ChildProcess.run(
                    "pg_dump", ["-h", scratch.file("data/postgres/socket"), "-U", "lull", "lull"])
                let log = try scratch.read("lull.log")
                #expect(dump.status == 0, "\(dump.output.suffix(500))")
                #expect(dump.output.contains("download_secrets"))
                #expect(log.contains("attempt ended"))
                for token in canaries.secrets {
                    for (place, text) in [
                        ("log", log), ("answers", told), ("database", dump.output),
                        ("webhooks", webhooks.joined()),
                    ] {
                        let forms = [
                            token, Data(token.utf8).map { String(format: "%02x", $0) }.joined(),
                        ]
                        #expect(!forms.contains(where: text.contains), "\(token) in \(place)")
                    }
                    let found = try await ChildProcess.run(
                        "grep", ["-raFl", token, scratch.file("data")])
                    #expect(found.status == 1, "\(token) in \(found.output)")
                }
                // The owner sees a URL as it was given; the log never has its query.
                #expect(!log.contains(canaries.query))
                #expect(told.contains(canaries.query))
                // The origin did receive the secrets.
                let sent = try #require(origin.requests.last { $0.target.hasPrefix("/flow") })
                #expect(sent["x-api-key"] == canaries.header)
                #expect(sent["x-of-session"] == canaries.sessionHeader)
                #expect(sent["authorization"] == "Bearer \(canaries.newToken)")
                #expect(String(decoding: sent.body, as: UTF8.self) == canaries.body)
            } catch {
                Issue.record(error, "lull's log ends:\n\(try await lull.logEnd())")
            }
            try await Task {
                try await lull.sweep()
                try scratch.remove()
            }.value
        }

        /// An origin that answers 503, then 401, then 200.
        private static func origin() throws -> OriginServer {
            let asked = Mutex<[String: Int]>([:])
            return try OriginServer { request in
                let path = String(request.target.split(separator: "?").first ?? "")
                let count = asked.withLock { asked in
                    asked[path, default: 0] += 1
                    return asked[path] ?? 0
                }
                guard path == "/flow" else { return OriginStep.answer("404 Not Found") }
                switch count {
                case 1: return OriginStep.answer("503 Later", headers: ["Retry-After: 1"])
                case 2: return OriginStep.answer("403 Forbidden")
                default: return OriginStep.answer(body: "content")
                }
            }
        }

        /// A download that passes through create, retry, attention, success, failure and refusals.
        ///
        /// - Returns: all answers of the API.
        private func live(
            _ base: String, _ origin: OriginServer, _ hook: OriginServer, _ canaries: Canaries
        ) async throws -> String {
            var told = ""
            func send(
                _ method: String, _ path: String, _ json: String, expecting status: Int
            ) async throws -> [String: Any] {
                let answer =
                    method == "GET"
                    ? try await Curl.get(base + path)
                    : try await Curl.send(method, base + path, json: json)
                #expect(answer.status == status, "\(method) \(path): \(answer.body)")
                told += answer.body
                return try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
                    as? [String: Any] ?? [:]
            }
            func reached(_ state: String, _ id: String) async throws {
                _ = try await eventually("\(id) \(state)", attempts: 200) {
                    let now = try await send("GET", "/v1/downloads/\(id)", "", expecting: 200)
                    return now["state"] as? String == state ? () : nil
                }
            }
            _ = try await send("PUT", "/v1/sessions/canary", canaries.session(hook), expecting: 201)
            let flow = try await send(
                "POST", "/v1/downloads", canaries.order(origin.url("/flow")), expecting: 201)
            let id = try #require(flow["id"] as? String)
            try await reached("attention_required", id)
            _ = try await send(
                "PATCH", "/v1/downloads/\(id)",
                #"{"authorization":{"type":"bearer","token":"\#(canaries.newToken)"}}"#,
                expecting: 200)
            _ = try await send("POST", "/v1/downloads/\(id)/resume", "{}", expecting: 200)
            try await reached("succeeded", id)
            let lost = try await send(
                "POST", "/v1/downloads", canaries.order(origin.url("/lost")), expecting: 201)
            let other = try #require(lost["id"] as? String)
            try await reached("failed", other)
            _ = try await send("POST", "/v1/downloads/\(other)/retry", "{}", expecting: 409)
            _ = try await send(
                "POST", "/v1/downloads/\(other)/retry",
                #"{"headers":{"X-Api-Key":"\#(canaries.header)"},"#
                    + #""authorization":null,"body":null}"#,
                expecting: 200)
            try await reached("failed", other)
            _ = try await send(
                "POST", "/v1/downloads",
                canaries.order(origin.url("/x"))
                    .replacingOccurrences(of: "X-Api-Key", with: "Host"),
                expecting: 422)
            return told + (try await outputs(base, origin, canaries, other))
        }

        /// The other outputs that may show a secret: exports, deliveries, problem documents,
        /// metrics.
        private func outputs(
            _ base: String, _ origin: OriginServer, _ canaries: Canaries, _ id: String
        ) async throws -> String {
            struct Page: Decodable {
                struct Delivery: Decodable { let id: String }

                let data: [Delivery]
            }
            var told = ""
            let paths = [
                "downloads/\(id)", "downloads/\(id)/resume_data", "downloads/\(id)/attempts",
                "events", "downloads", "sessions", "sessions/canary", "webhook_deliveries",
                "webhook_endpoints",
            ]
            for path in paths { told += try await Curl.get(base + "/v1/" + path).body }
            let list = try await Curl.get(base + "/v1/webhook_deliveries")
            let page = try JSONDecoder().decode(Page.self, from: Data(list.body.utf8))
            #expect(!page.data.isEmpty)
            for one in page.data {
                told += try await Curl.get(base + "/v1/webhook_deliveries/" + one.id).body
            }
            let order = canaries.order(origin.url("/x"))
            for (path, json, status) in [
                ("/v1/downloads", canaries.order("ftp://x/"), 422),
                ("/v1/downloads", order + "}", 400),
                ("/v1/downloads/dl_00000000000000000000000000/retry", "{}", 404),
                ("/v1/nothing", order, 404),
            ] {
                let answer = try await Curl.send("POST", base + path, json: json)
                #expect(answer.status == status, "\(path): \(answer.body)")
                told += answer.body
            }
            let metrics = try await Curl.get(base + "/metrics")
            #expect(metrics.status == 200 && metrics.body.contains("lull_"))
            told += metrics.body
            return told
        }

        /// The texts that are looked for.
        private struct Canaries {
            let query = token("query")
            let header = token("header")
            let sessionHeader = token("session-header")
            let key = token("client-key")
            let body = token("body")
            let password = token("password")
            let newToken = token("new-token")
            let webhookSecret =
                "whsec_" + Data(token("webhook").utf8.prefix(48)).base64EncodedString()

            var secrets: [String] {
                let basic = Data("canary:\(password)".utf8).base64EncodedString()
                return [
                    header, sessionHeader, key, body, password, basic, newToken, webhookSecret,
                ]
            }

            func order(_ url: String) -> String {
                """
                {"url":"\(url)?token=\(query)","session":"canary","method":"PUT",
                 "headers":{"X-Api-Key":"\(header)"},"body":"\(body)",
                 "authorization":{"type":"basic","username":"canary","password":"\(password)"}}
                """
            }

            func session(_ hook: OriginServer) -> String {
                """
                {"webhook_url":"\(hook.url("/hook"))","webhook_events":["download.*"],
                 "http_additional_headers":{"X-Of-Session":"\(sessionHeader)"},
                 "http_additional_headers_origins":["*"],
                 "tls":{"client_certificate_pem":"-----BEGIN CERTIFICATE-----\\nAA\\n",
                        "client_key_pem":"-----BEGIN PRIVATE KEY-----\\n\(key)\\n"}}
                """
            }
        }
    }
}
