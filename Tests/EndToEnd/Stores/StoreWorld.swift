// A world with an object store.
import Foundation
import Support
import Testing

/// A replica whose destination `cold` is a bucket, and the store of the bucket.
struct StoreWorld {
    /// An object as the strict store shows it.
    struct Object: Decodable {
        let etag: String
        let size: Int
        let sha256: String
        let metadata: [String: String]
        let type: String?
        let disposition: String?
    }

    /// A request as the strict store noted it.
    struct Request: Decodable {
        let operation: String
        let key: String?
        let status: Int?
        let code: String?
        let bytes: Int?
    }

    struct Upload: Decodable {
        let key: String
        let parts: [String: Int]
    }

    let port: Int
    private let made: World?

    /// The world; there is none beside a fleet.
    var world: World {
        guard let made else { preconditionFailure("a store of a fleet has no world") }
        return made
    }

    var client: RelayClient { RelayClient(world) }

    init(world: World? = nil, port: Int) { (made, self.port) = (world, port) }

    /// The settings of a replica that has the store.
    ///
    /// - Parameters:
    ///   - port: of the store.
    ///   - parameters: further ones of the destination, each with its `&`.
    /// - Returns: the settings by name.
    static func settings(port: Int, _ parameters: String = "") -> [String: String] {
        [
            "LULL_DESTINATIONS":
                "cold=s3://bucket/pre/fix?endpoint=http://127.0.0.1:\(port)\(parameters)",
            "AWS_ACCESS_KEY_ID": "access", "AWS_SECRET_ACCESS_KEY": "secret",
            "LULL_RETRY_BASE": "50ms", "LULL_RETRY_CAP": "200ms",
        ]
    }

    /// Runs a test with a replica and a new store.
    static func with(
        _ kind: StoreProcess.Kind = .strict([]), _ parameters: String = "",
        settings: [String: String] = [:], _ body: (StoreWorld) async throws -> Void
    ) async throws {
        try await StoreProcess.with(kind) { process in
            let all = Self.settings(port: process.port, parameters).merging(settings) { $1 }
            try await World.with(settings: all) { world in
                try await body(StoreWorld(world: world, port: process.port))
            }
        }
    }

    /// Creates a download of a new file of that length.
    func create(
        _ name: String, length: Int, to destination: String, _ members: String = ""
    ) async throws -> (id: String, digest: String) {
        let digest = try await world.origin.makeFile(name, length: length)
        let id = try await client.create(
            "\(world.origin.base)/\(name)", to: destination, members)
        return (id, digest)
    }

    /// The objects under the prefix, by the rest of their keys, without those of this service.
    func objects() async throws -> [String: Object] {
        let all = try await look("/_objects", as: [String: Object].self)
        let prefix = "bucket/pre/fix/"
        return Dictionary(
            uniqueKeysWithValues: all.filter { $0.key.hasPrefix(prefix) }
                .map { (String($0.key.dropFirst(prefix.count)), $0.value) })
    }

    func uploads() async throws -> [String: Upload] {
        try await look("/_uploads", as: [String: Upload].self)
    }

    func requests(_ operation: String? = nil) async throws -> [Request] {
        try await look("/_log", as: [Request].self).filter {
            operation == nil || $0.operation == operation
        }
    }

    /// Makes the store fail.
    func fail(_ operation: String, _ kind: String, times: Int = 1, skip: Int = 0) async throws {
        try await tell(
            "/_fault",
            #"{"operation":"\#(operation)","kind":"\#(kind)","times":\#(times),"skip":\#(skip)}"#)
    }

    /// Tells the store something.
    func tell(_ page: String, _ json: String) async throws {
        let answer = try await Curl.send("PUT", "http://127.0.0.1:\(port)\(page)", json: json)
        guard answer.status == 204 else { throw HarnessError("\(answer.status): \(answer.body)") }
    }

    private func look<Value: Decodable>(_ page: String, as type: Value.Type) async throws -> Value {
        let answer = try await Curl.get("http://127.0.0.1:\(port)\(page)")
        return try JSONDecoder().decode(Value.self, from: Data(answer.body.utf8))
    }
}
