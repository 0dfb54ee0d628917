// Headers and credentials of begin hooks: which question carries them, by every way that a hook
// comes to its URL.
import Foundation
import Support
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct HookSecretTests {
        /// A way by which the hook of a download comes to its URL and its secrets.
        private enum Way: String, CaseIterable {
            case own, otherPath, otherOrigin, anew, removed, another
            case ofSession, besideSession, inPlaceOfSession, elsewhereThanSession, backToSession
            case retried

            var session: Bool { rawValue.lowercased().contains("session") }
            /// Whether the hook itself is created with secrets.
            var own: Bool { ![.ofSession, .besideSession, .elsewhereThanSession].contains(self) }
        }

        private struct Case {
            let way: Way
            var path: String { "/" + way.rawValue }
            func token(_ owner: String) -> String { "secret-\(owner)-\(way.rawValue)-end" }

            func hook(_ receiver: OriginServer, _ owner: String?) -> [String: Any] {
                var hook: [String: Any] = ["url": receiver.url(path), "on_no_answer": "cancel"]
                guard let owner else { return hook }
                hook["headers"] = ["X-Key": token(owner)]
                hook["authorization"] = ["type": "bearer", "token": token(owner)]
                return hook
            }

            /// The patch of the hook, and the members that its answer says are gone.
            func patch(_ receivers: Receivers) -> (hook: Any, dropped: [String])? {
                let all = ["begin_hook/headers", "begin_hook/authorization"]
                return switch way {
                case .otherPath: (["url": receivers.home.url(path), "timeout_seconds": 5], [])
                case .otherOrigin: (["url": receivers.away.url(path)], all)
                case .anew:
                    (
                        ["url": receivers.away.url(path), "headers": ["X-Key": token("new")]],
                        [all[1]]
                    )
                case .removed: (["headers": NSNull(), "authorization": NSNull()], [])
                case .another: (["headers": ["X-Key": token("new")]], [])
                case .backToSession: (NSNull(), all)
                default: nil
                }
            }

            /// The owners of the secrets that the question carries: in the header, and as
            /// credentials.
            var expected: [String?] {
                switch way {
                case .own, .otherPath, .inPlaceOfSession: ["own", "own"]
                case .ofSession, .besideSession, .backToSession: ["session", "session"]
                case .otherOrigin, .removed, .elsewhereThanSession: [nil, nil]
                case .anew: ["new", nil]
                case .another: ["new", "own"]
                case .retried: ["own", "own"]
                }
            }

            var isAway: Bool { [.otherOrigin, .anew, .elsewhereThanSession].contains(way) }
        }

        private struct Receivers {
            let home: OriginServer
            let away: OriginServer
        }

        @Test(.timeLimit(.minutes(5)))
        func aQuestionCarriesTheSecretsThatWereGivenForItsOrigin() async throws {
            try await World.with { world in
                _ = try await world.origin.makeFile("file", length: 1000)
                let answer = OriginStep.answer(body: #"{"disposition":"cancel"}"#)
                let receivers = Receivers(
                    home: try OriginServer { _ in answer }, away: try OriginServer { _ in answer })
                defer {
                    receivers.home.close()
                    receivers.away.close()
                }
                for way in Way.allCases { try await run(Case(way: way), world, receivers) }
                for way in Way.allCases { check(Case(way: way), receivers) }
            }
        }

        private func send(
            _ world: World, _ method: String, _ path: String, _ document: [String: Any],
            expecting status: Int
        ) async throws -> [String: Any] {
            let body = try JSONSerialization.data(withJSONObject: document)
            let answer = try await Curl.send(
                method, world.lull.base + path, json: String(decoding: body, as: UTF8.self))
            #expect(answer.status == status, "\(method) \(path) \(document): \(answer.body)")
            #expect(!answer.body.contains("secret-"), "\(answer.body)")
            return try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
                as? [String: Any] ?? [:]
        }

        private func run(_ one: Case, _ world: World, _ receivers: Receivers) async throws {
            var order: [String: Any] = [
                "url": "\(world.origin.base)/file", "suspended": true,
                "earliest_begin_date": Date(timeIntervalSinceNow: -60).ISO8601Format(),
            ]
            if one.way.session {
                order["session"] = one.way.rawValue
                _ = try await send(
                    world, "PUT", "/v1/sessions/" + one.way.rawValue,
                    ["begin_hook": one.hook(receivers.home, "session")], expecting: 201)
            }
            if one.way != .ofSession {
                order["begin_hook"] = one.hook(
                    one.way == .elsewhereThanSession ? receivers.away : receivers.home,
                    one.way.own ? "own" : nil)
            }
            let made = try await send(world, "POST", "/v1/downloads", order, expecting: 201)
            let shown = made["begin_hook"] as? [String: Any]
            #expect(
                shown?["headers"] as? [String: String]
                    == (one.way.own ? ["X-Key": "redacted"] : nil))
            let path = "/v1/downloads/" + (try #require(made["id"] as? String))
            if let (hook, dropped) = one.patch(receivers) {
                let changed = try await send(
                    world, "PATCH", path, ["begin_hook": hook], expecting: 200)
                #expect(changed["dropped"] as? [String] ?? [] == dropped, "\(one.way)")
            }
            if one.way == .retried {
                _ = try await send(world, "POST", path + "/cancel", [:], expecting: 200)
                let refused = try await send(world, "POST", path + "/retry", [:], expecting: 409)
                let pointers = (refused["errors"] as? [[String: Any]])?.map { $0["pointer"] }
                #expect(
                    pointers as? [String]
                        == ["#/begin_hook/headers", "#/begin_hook/authorization"])
                var again = one.hook(receivers.home, "own")
                (again["url"], again["on_no_answer"]) = (nil, nil)
                _ = try await send(
                    world, "POST", path + "/retry", ["begin_hook": again], expecting: 200)
            } else {
                _ = try await send(world, "POST", path + "/resume", [:], expecting: 200)
            }
            let receiver = one.isAway ? receivers.away : receivers.home
            try await eventually("the question of \(one.way)", attempts: 300) {
                receiver.requests.contains { $0.target == one.path } ? () : nil
            }
        }

        private func check(_ one: Case, _ receivers: Receivers) {
            let other = one.isAway ? receivers.home : receivers.away
            #expect(!other.requests.contains { $0.target == one.path }, "\(one.way)")
            let receiver = one.isAway ? receivers.away : receivers.home
            for request in receiver.requests where request.target == one.path {
                let keys = request.headers.filter { $0.name.lowercased() == "x-key" }.map(\.value)
                #expect(keys == one.expected[0].map { [one.token($0)] } ?? [], "\(one.way)")
                #expect(
                    request["authorization"] == one.expected[1].map { "Bearer " + one.token($0) },
                    "\(one.way)")
            }
        }
    }
}
