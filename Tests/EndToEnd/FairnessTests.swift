// Newcomers beside a backlog that takes every slot: the number of other downloads that begin before
// them.
import Foundation
import Support
import Synchronization
import Testing

@Suite struct FairnessTests {
    private static let slots = 64
    private static let origins = 300
    private static let newOrigins = 5

    /// The downloads that have begun, in order, as the origins see them.
    private final class Begins: Sendable {
        private let paths = Mutex<[String]>([])

        func note(_ path: String) { paths.withLock { $0.append(path) } }

        var all: [String] { paths.withLock { $0 } }
    }

    /// Origins that answer after a pause, each on a port of its own.
    private struct Crowd {
        let begins = Begins()
        private(set) var servers: [OriginServer] = []

        init(_ count: Int) throws {
            let begins = begins
            for _ in 0..<count {
                servers.append(
                    try OriginServer { request in
                        begins.note(request.target)
                        return [.rest(milliseconds: 700)] + OriginStep.answer(body: "x")
                    })
            }
        }

        func url(_ origin: Int, _ path: String) -> String {
            "http://127.0.0.1:\(servers[origin].port)/\(path)"
        }

        func close() { for server in servers { server.close() } }
    }

    /// A kind of newcomer: a new origin, session or app beside the flows of its level.
    private enum Newcomer: String, CaseIterable {
        case app, session, origin

        /// The number of flows of its level, with the newcomer.
        var flows: Int { self == .origin ? FairnessTests.origins + FairnessTests.newOrigins : 2 }
    }

    /// 3,000 downloads wait over 300 origins, so that an open lane is always known.
    ///
    /// A newcomer of each kind has its turn after two begins of each flow of its level and one
    /// turnover of the slots, counted from the answer to its create.
    @Test func aNewcomerBeginsWithinTwoRoundsOfItsLevel() async throws {
        let crowd = try Crowd(Self.origins + Self.newOrigins)
        defer { crowd.close() }
        let scratch = try Scratch()
        let lull = try await LullProcess(
            in: scratch,
            settings: [
                "LULL_AUTH": "keys", "LULL_MAX_RUNNING": "\(Self.slots)",
                "LULL_MAX_RUNNING_PER_ORIGIN": "6",
            ])
        do {
            try await lull.start()
            let greedy = try await Self.key(of: "greedy", scratch)
            let small = try await Self.key(of: "small", scratch)
            for (session, key) in [("crawl", greedy), ("other", greedy), ("crawl", small)] {
                let answer = try await Curl.send(
                    "PUT", "\(lull.base)/v1/sessions/\(session)", json: "{}",
                    fields: ["Authorization: Bearer \(key)"])
                #expect((200..<300).contains(answer.status), "\(answer.body)")
            }
            for part in 0..<10 {
                let urls = (0..<Self.origins).map { crowd.url($0, "old-\(part)-\($0)") }
                try await Self.create(urls, session: "crawl", lull, greedy)
            }
            try await eventually("a turnover") {
                crowd.begins.all.count > 2 * Self.slots ? () : nil
            }
            for kind in Newcomer.allCases {
                let first = kind == .origin ? Self.origins : 0
                let urls = (0..<Self.newOrigins).map {
                    crowd.url(first + $0, "\(kind.rawValue)-\($0)")
                }
                try await Self.create(
                    urls, session: kind == .session ? "other" : "crawl", lull,
                    kind == .app ? small : greedy)
                let before = crowd.begins.all.count
                let bound = 2 * kind.flows + Self.slots
                func isNew(_ path: String) -> Bool { path.hasPrefix("/\(kind.rawValue)-") }
                try await eventually("\(kind) or the bound") {
                    let all = crowd.begins.all
                    return all.contains(where: isNew) || all.count > before + bound + 64
                        ? () : nil
                }
                let all = crowd.begins.all
                let place = try #require(
                    all.firstIndex(where: isNew), "\(kind): \(all.count - before) others began")
                #expect(place - before <= bound, "\(kind)")
            }
        } catch {
            Issue.record(error, "lull's log ends:\n\(try await lull.logEnd())")
        }
        try await lull.sweep()
        try scratch.remove()
    }

    private static func key(of app: String, _ scratch: Scratch) async throws -> String {
        let made = try await CommandRun.of(
            [
                "keys", "create", "--app", app, "--scope", "downloads:write",
            ], settings: ["LULL_DATA_DIR": scratch.file("data")], in: scratch)
        return made.output.split(separator: "\n").joined()
    }

    private static func create(
        _ urls: [String], session: String, _ lull: LullProcess, _ key: String
    ) async throws {
        let items = urls.map { #"{"url": "\#($0)", "session": "\#(session)"}"# }
        let answer = try await Curl.send(
            "POST", "\(lull.base)/v1/downloads/batch",
            json: #"{"downloads": [\#(items.joined(separator: ","))]}"#,
            fields: ["Authorization: Bearer \(key)"])
        guard (200..<300).contains(answer.status) else {
            throw HarnessError("batch: \(answer.status) \(answer.body)")
        }
    }
}
