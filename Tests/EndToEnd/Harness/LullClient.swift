// The few calls of the API that the end-to-end tests make, with the members that they read of the
// answers.
import Foundation

/// A client of one replica.
struct LullClient {
    /// The members of a download that the tests read.
    struct Download: Decodable {
        let id: String
        let state: String
        let startedAt: String?
        let countOfBytesReceived: Int
        let attempt: Int
        let resume: Resume?
        let blockers: [Blocker]?
    }

    /// The reason for which a download waits.
    struct Blocker: Decodable {
        let code: String
        let detail: String
    }

    /// The use of the bytes of an earlier attempt.
    struct Resume: Decodable {
        let outcome: String
        let bytesDiscarded: Int
    }

    /// The members of a download that tests create.
    struct Order: Encodable {
        var url: String
        var earliestBeginDate: String?
        var isDiscretionary: Bool?
        var expectedDigest: String?
        var webhookUrl: String?
        var webhookEvents: [String]?
        var countOfBytesClientExpectsToReceive: Int?
        var destination: Destination?
        var contentRetention: Int?
        var timeoutIntervalForResource: Int?
    }

    /// The destination of a file in a folder of the operator.
    struct Destination: Encodable {
        let name: String
        let path: String
        let onConflict: String
    }

    let base: String

    func create(_ order: Order) async throws -> Download {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let json = String(decoding: try encoder.encode(order), as: UTF8.self)
        return try decoded(
            try await Curl.send("POST", "\(base)/v1/downloads", json: json), expecting: 201)
    }

    /// The download at present, or at its end if that comes within `wait` seconds.
    func download(_ id: String, wait: Int? = nil) async throws -> Download {
        let query = wait.map { "?wait=\($0)" } ?? ""
        return try decoded(
            try await Curl.get("\(base)/v1/downloads/\(id)\(query)"), expecting: 200)
    }

    /// Whether all of them have succeeded; false as well while the program does not answer.
    func haveSucceeded(_ ids: [String]) async -> Bool {
        do {
            for id in ids where try await download(id).state != "succeeded" { return false }
            return true
        } catch {
            return false
        }
    }

    /// Asks for `suspend`, `resume` or `cancel`; returns the download in the answer.
    func act(_ action: String, on id: String) async throws -> Download {
        try decoded(
            try await Curl.send("POST", "\(base)/v1/downloads/\(id)/\(action)", json: ""),
            expecting: 200)
    }

    /// At most 200 downloads that are in one of the states.
    func downloads(in states: [String]) async throws -> [Download] {
        struct Page: Decodable { let data: [Download] }
        let query = "state=\(states.joined(separator: ","))&limit=200"
        let page: Page = try decoded(
            try await Curl.get("\(base)/v1/downloads?\(query)"), expecting: 200)
        return page.data
    }

    /// The SHA-256 of the content of every download that succeeded, by identifier; empty while the
    /// list is not answered.
    func digestsOfSucceeded() async throws -> [String: String] {
        struct Content: Decodable { let sha256: String }
        struct Item: Decodable {
            let id: String
            let content: Content?
        }
        struct Page: Decodable {
            let data: [Item]
            let nextCursor: String?
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        var found: [String: String] = [:]
        var query = "state=succeeded&limit=200"
        while true {
            let answer = try await Curl.get("\(base)/v1/downloads?\(query)")
            guard answer.status == 200 else { return [:] }
            let page = try decoder.decode(Page.self, from: Data(answer.body.utf8))
            for item in page.data { found[item.id] = item.content?.sha256 }
            guard let cursor = page.nextCursor else { return found }
            query = "state=succeeded&limit=200&cursor=\(cursor)"
        }
    }

    func putPolicy(_ json: String) async throws {
        let answer = try await Curl.send("PUT", "\(base)/v1/policy", json: json)
        guard answer.status == 200 || answer.status == 201 else {
            throw HarnessError("PUT /v1/policy: \(answer.status) \(answer.body)")
        }
    }

    /// Releases the content of a download; returns the status of the answer.
    func release(_ id: String) async throws -> Int {
        try await Curl.send("DELETE", "\(base)/v1/downloads/\(id)/content", json: "").status
    }

    func webhookSecret() async throws -> String {
        struct Secret: Decodable { let secret: String }
        let secret: Secret = try decoded(
            try await Curl.get("\(base)/v1/webhook_endpoints/default/secret"), expecting: 200)
        return secret.secret
    }

    /// Whether the content that Lull serves has the bytes of a file, as `cmp` sees it.
    func hasContent(_ id: String, equalTo file: String) async throws -> Bool {
        let url = "\(base)/v1/downloads/\(id)/content"
        let result = try await ChildProcess.run(
            "bash", ["-c", "set -o pipefail; curl -fsSL '\(url)' | cmp - '\(file)'"])
        return result.status == 0
    }

    private func decoded<Value: Decodable>(
        _ answer: Curl.Answer, expecting status: Int
    ) throws -> Value {
        guard answer.status == status else {
            throw HarnessError("expected \(status), got \(answer.status): \(answer.body)")
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Value.self, from: Data(answer.body.utf8))
    }
}
