// Every way by which a download comes to another origin, beside every kind of secret: the other
// origin is asked, and gets no secret.
import Foundation
import Support
import Synchronization
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct SecretOriginTests {
        /// A way that leads from the origin of the secrets to another one.
        private enum Way: String, CaseIterable {
            case redirect, redirectBack, mirror, patchedURL, patchedMirrors, retriedURL, beginHook
            case createdElsewhere, resumeData
        }

        private enum Kind: String, CaseIterable {
            case authorization, header, body, sessionHeader

            /// The member that the answer to a change names.
            var dropped: [String] {
                switch self {
                case .authorization: ["authorization"]
                case .header: ["headers"]
                case .body, .sessionHeader: []
                }
            }
        }

        /// One case of the table.
        private struct Case {
            let way: Way
            let kind: Kind
            var path: String { "/\(way.rawValue)/\(kind.rawValue)" }
            var token: String { "secret-\(way.rawValue)-\(kind.rawValue)" }
            var session: String { "\(way.rawValue)-\(kind.rawValue)" }

            /// Whether the API allows it: mirrors need a GET, and a download that is made for
            /// another origin has been given its own secrets.
            var isPossible: Bool {
                switch way {
                case .mirror, .patchedMirrors, .resumeData: kind != .body
                case .createdElsewhere: kind == .sessionHeader
                default: true
                }
            }

            static let all = Way.allCases.flatMap { way in
                Kind.allCases.map { Case(way: way, kind: $0) }
            }.filter(\.isPossible)
        }

        private static let content = "content"

        private static func digest() async throws -> String {
            let run = try await ChildProcess.run(
                "sh", ["-c", "printf %s \(content) | sha256sum"])
            return "sha256:" + run.output.prefix(64)
        }

        /// Redirects or fails, as the way requires.
        private static func home(to away: OriginServer) throws -> OriginServer {
            try OriginServer { request in
                switch request.target.split(separator: "/").first {
                case "redirect", "redirectBack":
                    OriginStep.answer(
                        "307 Temporary Redirect",
                        headers: ["Location: \(away.url(request.target))"])
                case "mirror", "patchedMirrors", "retriedURL": OriginStep.answer("404 Not Found")
                case "resumeData" where request["range"] == nil:
                    // A part of the content, and nothing more.
                    [
                        .send(
                            "HTTP/1.1 200 OK\r\nContent-Length: 7\r\nETag: \"e\"\r\n\r\ncon"),
                        .close,
                    ]
                case "resumeData": OriginStep.answer("404 Not Found")
                default: OriginStep.answer(body: content)
                }
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func anotherOriginGetsNoSecretByAnyWay() async throws {
            let back = Back()
            let away = try OriginServer { request in
                request.target.hasPrefix("/redirectBack/")
                    ? OriginStep.answer(
                        "307 Temporary Redirect",
                        headers: ["Location: \(back.base)/home\(request.target)"])
                    : OriginStep.answer(body: Self.content)
            }
            defer { away.close() }
            let home = try Self.home(to: away)
            defer { home.close() }
            back.set(home.url(""))
            let hook = try OriginServer { request in
                OriginStep.answer(
                    body: #"{"disposition":"use_new_request","request":{"url":""#
                        + away.url(request.target) + #""}}"#)
            }
            defer { hook.close() }
            let scratch = try Scratch()
            let lull = try await LullProcess(
                in: scratch, settings: ["LULL_RETRY_BASE": "10ms", "LULL_MAX_ATTEMPTS": "3"])
            do {
                try await lull.start()
                let world = Places(
                    base: lull.base, home: home, away: away, hook: hook,
                    digest: try await Self.digest())
                for one in Case.all { try await run(one, world) }
                for one in Case.all { try check(one, world) }
            } catch {
                Issue.record(error, "lull's log ends:\n\(try await lull.logEnd())")
            }
            try await Task {
                try await lull.sweep()
                try scratch.remove()
            }.value
        }

        /// The target of the second redirect, which is known only after its origin was made.
        private final class Back: Sendable {
            private let url = Mutex("")
            var base: String { url.withLock { $0 } }
            func set(_ text: String) { url.withLock { $0 = text } }
        }

        private struct Places {
            let base: String
            let home: OriginServer
            let away: OriginServer
            let hook: OriginServer
            let digest: String

            func send(
                _ method: String, _ path: String, _ document: [String: Any], expecting status: Int
            ) async throws -> [String: Any] {
                let body = try JSONSerialization.data(withJSONObject: document)
                let answer = try await Curl.send(
                    method, base + path, json: String(decoding: body, as: UTF8.self))
                #expect(answer.status == status, "\(method) \(path) \(document): \(answer.body)")
                return try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
                    as? [String: Any] ?? [:]
            }

            func reached(_ states: [String], _ id: String) async throws {
                try await eventually("\(id) \(states)", attempts: 300) {
                    let answer = try await Curl.get(base + "/v1/downloads/" + id)
                    let now =
                        try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
                        as? [String: Any]
                    return states.contains(now?["state"] as? String ?? "") ? () : nil
                }
            }
        }

        /// The create of a case.
        private func order(_ one: Case, _ places: Places) -> [String: Any] {
            var order: [String: Any] = ["url": places.home.url(one.path), "session": "default"]
            switch one.kind {
            case .authorization:
                order["authorization"] = ["type": "bearer", "token": one.token]
            case .header: order["headers"] = ["X-Key": one.token]
            case .body: (order["method"], order["body"]) = ("POST", one.token)
            case .sessionHeader: order["session"] = one.session
            }
            switch one.way {
            case .mirror:
                order["urls"] = [places.away.url(one.path)]
                order["expected_digest"] = places.digest
            case .patchedMirrors: order["expected_digest"] = places.digest
            case .beginHook:
                order["earliest_begin_date"] = Date(timeIntervalSinceNow: 1).ISO8601Format()
                order["begin_hook"] = [
                    "url": places.hook.url(one.path), "timeout_seconds": 2,
                    "on_no_answer": "continue",
                ]
            case .createdElsewhere: order["url"] = places.away.url(one.path)
            default: break
            }
            if [.patchedURL, .patchedMirrors].contains(one.way) { order["suspended"] = true }
            return order
        }

        private func run(_ one: Case, _ places: Places) async throws {
            if one.kind == .sessionHeader {
                let session = try await places.send(
                    "PUT", "/v1/sessions/" + one.session,
                    [
                        "http_additional_headers": ["X-Key": one.token],
                        "http_additional_headers_origins": [places.home.url("")],
                    ], expecting: 201)
                #expect(session["withheld"] as? [String] == [])
            }
            let made = try await places.send(
                "POST", "/v1/downloads", order(one, places), expecting: 201)
            let id = try #require(made["id"] as? String)
            let path = "/v1/downloads/" + id
            switch one.way {
            case .patchedURL, .retriedURL:
                if one.way == .retriedURL { try await places.reached(["failed"], id) }
                let changed = try await places.send(
                    "PATCH", path, ["url": places.away.url(one.path)],
                    expecting: one.kind == .body ? 422 : 200)
                guard one.kind != .body else { return }
                #expect(changed["dropped"] as? [String] == one.kind.dropped, "\(one)")
            case .patchedMirrors:
                let changed = try await places.send(
                    "PATCH", path, ["urls": [places.away.url(one.path)]], expecting: 200)
                // The download's own URL did not change.
                #expect(changed["dropped"] as? [String] == [])
            default: break
            }
            if [.patchedURL, .patchedMirrors].contains(one.way) {
                _ = try await places.send("POST", path + "/resume", [:], expecting: 200)
            }
            if one.way == .retriedURL {
                _ = try await places.send("POST", path + "/retry", [:], expecting: 200)
            }
            if one.way == .resumeData {
                try await places.reached(["attention_required"], id)
                return try await goOn(one, from: id, places)
            }
            // A body is sent only to the origin that it was given for, so its redirect ends the
            // download.
            let isLeft = one.kind == .body && [.redirect, .redirectBack].contains(one.way)
            try await places.reached([isLeft ? "failed" : "succeeded"], id)
        }

        /// Makes a download from the resume data of another one, with a mirror at the other origin.
        private func goOn(_ one: Case, from id: String, _ places: Places) async throws {
            let answer = try await Curl.get(places.base + "/v1/downloads/\(id)/resume_data")
            let data =
                try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
            var order = self.order(one, places)
            for member in ["url", "headers", "authorization"] { order[member] = nil }
            order["resume_data"] = try #require(data?["resume_data"], "\(answer.body)")
            order["urls"] = [places.away.url(one.path)]
            order["expected_digest"] = places.digest
            let made = try await places.send("POST", "/v1/downloads", order, expecting: 201)
            try await places.reached(["succeeded"], try #require(made["id"] as? String))
        }

        private func check(_ one: Case, _ places: Places) throws {
            func asked(_ origin: OriginServer, _ path: String) -> [OriginRequest] {
                origin.requests.filter { $0.target == path }
            }
            func carries(_ request: OriginRequest) -> Bool {
                request.headers.contains { $0.value.contains(one.token) }
                    || String(decoding: request.body, as: UTF8.self).contains(one.token)
            }
            let elsewhere = asked(places.away, one.path)
            #expect(elsewhere.isEmpty == (one.kind == .body), "\(one): \(elsewhere.count)")
            #expect(!elsewhere.contains(where: carries), "\(one) reached another origin")
            // The secrets are real: the origin that they were given for gets them.
            switch one.way {
            case .patchedURL, .createdElsewhere: break
            case .beginHook where one.kind != .body: break
            default:
                let first = asked(places.home, one.path)
                #expect(!first.isEmpty && first.allSatisfy(carries), "\(one) at home")
            }
            if one.way == .redirectBack, one.kind != .body {
                let again = asked(places.home, "/home" + one.path)
                #expect(!again.isEmpty && again.allSatisfy(carries), "\(one) back at home")
            }
        }
    }
}
