// Secrets that come back: an origin repeats the fields that it got, a begin hook answers with them.
import Foundation
import Support
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct EchoTests {
        private struct Named: Decodable { let id: String }
        private struct Page: Decodable { let data: [Named] }

        private static func token(_ name: String) -> String {
            "canary-\(name)-" + UUID().uuidString.lowercased()
        }

        /// Looks for secrets, plain and in hexadecimal digits, in everything that is kept and
        /// shown.
        private static func expect(
            _ secrets: [String], notIn told: String, _ scratch: Scratch
        ) async throws {
            let dump = try await ChildProcess.run(
                "pg_dump", ["-h", scratch.file("data/postgres/socket"), "-U", "lull", "lull"])
            #expect(dump.status == 0 && dump.output.contains("attempts"))
            let log = try scratch.read("lull.log")
            for secret in secrets {
                let hexadecimal = Data(secret.utf8).map { String(format: "%02x", $0) }.joined()
                let base64 = Data(secret.utf8).base64EncodedString().prefix(40)
                for (place, text) in [("answers", told), ("log", log), ("database", dump.output)] {
                    for form in [secret, hexadecimal, String(base64)] {
                        #expect(!text.contains(form), "\(form) in \(place)")
                    }
                }
            }
        }

        /// Everything that a client may read of a download, and of the messages to its receivers.
        private static func told(_ base: String, _ id: String) async throws -> String {
            var told = ""
            for path in [
                "downloads/\(id)", "downloads/\(id)/attempts", "downloads/\(id)/explain",
                "downloads/\(id)/events", "events", "webhook_deliveries?download=\(id)",
            ] {
                let answer = try await Curl.get(base + "/v1/" + path)
                #expect(answer.status == 200, "\(path): \(answer.body)")
                told += answer.body
            }
            let list = try await Curl.get(base + "/v1/webhook_deliveries?download=\(id)")
            for one in try JSONDecoder().decode(Page.self, from: Data(list.body.utf8)).data {
                told += try await Curl.get(base + "/v1/webhook_deliveries/" + one.id).body
            }
            return told
        }

        @Test(.timeLimit(.minutes(3)), arguments: ["background", "ephemeral"])
        func anOriginThatRepeatsWhatItWasSentPutsNoSecretIntoTheExcerpt(
            kind: String
        ) async throws {
            let (key, token, body) = (Self.token("key"), Self.token("token"), Self.token("body"))
            let own = Self.token("session")
            let origin = try OriginServer { request in
                let sent =
                    request.target + "\n"
                    + request.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
                    + "\n" + String(decoding: request.body, as: UTF8.self)
                let text =
                    switch request.target.split(separator: "?").first {
                    case "/hex": Data(sent.utf8).map { String(format: "%02x", $0) }.joined()
                    case "/base64": Data(sent.utf8).base64EncodedString()
                    case "/json": String(reflecting: sent)
                    case "/cut": String(repeating: "-", count: 990) + token
                    default: "you sent " + sent
                    }
                return OriginStep.answer("400 Bad Request", body: text)
            }
            defer { origin.close() }
            let scratch = try Scratch()
            let lull = try await LullProcess(in: scratch, settings: ["LULL_LOG_LEVEL": "debug"])
            do {
                try await lull.start()
                let made = try await Curl.send(
                    "PUT", lull.base + "/v1/sessions/echo",
                    json: #"""
                        {"kind":"\#(kind)","http_additional_headers":{"X-Own":"\#(own)"},
                         "http_additional_headers_origins":["*"]}
                        """#)
                #expect(made.status == 201, "\(made.body)")
                var all = ""
                for path in ["/raw", "/hex", "/base64", "/json", "/cut"] {
                    let created = try await Curl.send(
                        "POST", lull.base + "/v1/downloads",
                        json: #"""
                            {"url":"\#(origin.url(path))?q=query","session":"echo","method":"PUT",
                             "headers":{"X-Api-Key":"\#(key)"},"body":"\#(body)",
                             "authorization":{"type":"bearer","token":"\#(token)"}}
                            """#)
                    #expect(created.status == 201, "\(created.body)")
                    let id = try JSONDecoder().decode(Named.self, from: Data(created.body.utf8)).id
                    let ended = try await Curl.get(lull.base + "/v1/downloads/\(id)?wait=60")
                    #expect(ended.body.contains(#""state":"failed""#), "\(ended.body)")
                    let attempts = try await Curl.get(lull.base + "/v1/downloads/\(id)/attempts")
                    let isKept = kind == "background"
                    #expect(attempts.body.contains("[redacted]") == isKept || path == "/hex")
                    if path == "/raw" { #expect(attempts.body.contains("you sent") == isKept) }
                    all += try await Self.told(lull.base, id)
                }
                #expect(origin.requests.contains { $0["x-own"] == own })
                try await Self.expect([key, token, body, own], notIn: all, scratch)
            } catch {
                Issue.record(error, "lull's log ends:\n\(try await lull.logEnd())")
            }
            try await Task {
                try await lull.sweep()
                try scratch.remove()
            }.value
        }

        @Test(.timeLimit(.minutes(3)))
        func theAnswerOfABeginHookIsKeptNowhere() async throws {
            let secret = Self.token("hook")
            let origin = try OriginServer { _ in OriginStep.answer(body: "content") }
            defer { origin.close() }
            let address = origin.url("/fresh")
            let answers = [
                "/taken": #"{"url":"\#(address)","headers":{"X-Api-Key":"\#(secret)"}}"#,
                "/refused": #"{"url":"ftp://\#(secret)/","headers":{"\#(secret) x":"\#(secret)"}}"#,
                "/digest": #"{"expected_digest":"\#(secret)"}"#,
                "/elsewhere": #"{"url":"http://10.1.2.3/\#(secret)","body":"\#(secret)"}"#,
            ]
            let hook = try OriginServer { request in
                let path = String(request.target)
                if let members = answers[path] {
                    return OriginStep.answer(
                        body: #"{"disposition":"use_new_request","request":\#(members)}"#)
                }
                return path == "/failing"
                    ? OriginStep.answer("500 Error", body: secret)
                    : OriginStep.answer(body: "no answer: \(secret)")
            }
            defer { hook.close() }
            let scratch = try Scratch()
            let lull = try await LullProcess(in: scratch, settings: ["LULL_LOG_LEVEL": "debug"])
            do {
                try await lull.start()
                var all = ""
                for path in answers.keys.sorted() + ["/failing", "/nonsense"] {
                    let begin = Date.now.addingTimeInterval(1).ISO8601Format()
                    let created = try await Curl.send(
                        "POST", lull.base + "/v1/downloads",
                        json: #"""
                            {"url":"\#(origin.url("/old"))","earliest_begin_date":"\#(begin)",
                             "begin_hook":{"url":"\#(hook.url(path))"}}
                            """#)
                    #expect(created.status == 201, "\(created.body)")
                    let id = try JSONDecoder().decode(Named.self, from: Data(created.body.utf8)).id
                    let ended = try await Curl.get(lull.base + "/v1/downloads/\(id)?wait=60")
                    #expect(ended.body.contains(#""state":"succeeded""#), "\(ended.body)")
                    _ = try await eventually("the delivery's end") {
                        let list = try await Curl.get(
                            lull.base + "/v1/webhook_deliveries?download=\(id)")
                        return list.body.contains(#""state":"pending""#) ? nil : ()
                    }
                    all += try await Self.told(lull.base, id)
                }
                // The error is described without the values.
                #expect(all.contains("unsupported-url-scheme for its url;"))
                #expect(all.contains("for its expected_digest"))
                // The origin got the header, and the new address is shown like any other.
                #expect(origin.requests.contains { $0["x-api-key"] == secret })
                #expect(all.contains(address))
                try await Self.expect([secret], notIn: all, scratch)
            } catch {
                Issue.record(error, "lull's log ends:\n\(try await lull.logEnd())")
            }
            try await Task {
                try await lull.sweep()
                try scratch.remove()
            }.value
        }
    }
}
