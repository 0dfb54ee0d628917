// The calls of the API about downloads whose files are sent on.
import Foundation

/// A client of one replica that creates downloads with receivers.
struct RelayClient {
    /// The members of a download that these tests read.
    struct Relayed: Decodable {
        struct Excerpt: Decodable { let text: String }
        struct Sent: Decodable {
            let status: Int
            let body: Excerpt?
        }
        struct Failure: Decodable { let code: String }
        struct Content: Decodable { let state: String }
        let id: String
        let state: String
        let attempt: Int
        let countOfBytesSent: Int
        let countOfBytesReceived: Int
        let direction: String?
        let sent: Sent?
        let error: Failure?
        let content: Content?
        let blockers: [LullClient.Blocker]?
    }

    let base: String

    /// A client of a world's replica.
    init(_ world: World) { base = world.lull.base }

    /// A client of the replica at a URL.
    init(base: String) { self.base = base }

    /// Creates a download.
    ///
    /// - Parameters:
    ///   - url: the file at its origin.
    ///   - destination: the member of this name, in JSON.
    ///   - members: further members, in JSON, each with its comma before it.
    /// - Returns: its identifier.
    /// - Throws: `HarnessError` for an answer other than 201.
    func create(
        _ url: String, to destination: String, _ members: String = ""
    ) async throws -> String {
        let json = #"{"url":"\#(url)","destination":\#(destination)\#(members)}"#
        let answer = try await Curl.send("POST", "\(base)/v1/downloads", json: json)
        guard answer.status == 201 else { throw HarnessError("\(answer.status): \(answer.body)") }
        return try Self.decoder.decode(Relayed.self, from: Data(answer.body.utf8)).id
    }

    /// The download at present, or at its end if that comes within `wait` seconds.
    func find(_ id: String, wait: Int = 0) async throws -> Relayed {
        let query = wait > 0 ? "?wait=\(wait)" : ""
        let answer = try await Curl.get("\(base)/v1/downloads/\(id)\(query)")
        guard answer.status == 200 else { throw HarnessError("\(answer.status): \(answer.body)") }
        return try Self.decoder.decode(Relayed.self, from: Data(answer.body.utf8))
    }

    /// Waits until a download is as a test wants it.
    func reached(
        _ id: String, _ what: String, _ isThere: (Relayed) -> Bool
    ) async throws -> Relayed {
        var last: Relayed?
        do {
            return try await eventually("\(what) of \(id)") {
                let now = try await find(id)
                last = now
                return isThere(now) ? now : nil
            }
        } catch let error as HarnessError {
            throw HarnessError("\(error); it is \(String(describing: last))")
        }
    }

    /// Waits until a download has ended or needs its client.
    func settled(_ id: String) async throws -> Relayed {
        let states = ["succeeded", "failed", "canceled", "attention_required"]
        return try await reached(id, "the end") { states.contains($0.state) }
    }

    /// Asks for an action, and returns the status of the answer.
    func act(_ action: String, on id: String, json: String = "") async throws -> Int {
        try await Curl.send("POST", "\(base)/v1/downloads/\(id)/\(action)", json: json).status
    }

    /// Changes members of a download.
    func patch(_ id: String, _ json: String) async throws {
        let answer = try await Curl.send("PATCH", "\(base)/v1/downloads/\(id)", json: json)
        guard answer.status == 200 else { throw HarnessError("\(answer.status): \(answer.body)") }
    }

    /// The body of what lies below a download, such as `/attempts`.
    func text(_ id: String, _ below: String) async throws -> String {
        try await Curl.get("\(base)/v1/downloads/\(id)\(below)").body
    }

    private static let decoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()
}
