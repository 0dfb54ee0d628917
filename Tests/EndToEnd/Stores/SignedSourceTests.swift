// Files in private buckets: each request is signed with the client's keys.
import Foundation
import Support
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct SignedSourceTests {
        private struct Operation: Decodable {
            let operation: String
            let status: Int
            let range: String?
        }

        private static let settings = ["LULL_RETRY_BASE": "50ms", "LULL_RETRY_CAP": "100ms"]

        private static func authorization(secret: String, token: String?) -> String {
            let token = token.map { #","session_token":"\#($0)""# } ?? ""
            return #","authorization":{"type":"aws_sigv4","access_key_id":"access","#
                + #""secret_access_key":"\#(secret)","region":"us-east-1"\#(token)}"#
        }

        private static func log(_ store: StoreProcess) async throws -> [Operation] {
            let answer = try await Curl.get("http://127.0.0.1:\(store.port)/_log")
            return try JSONDecoder().decode([Operation].self, from: Data(answer.body.utf8))
        }

        /// Puts a file of random bytes into the strict store, and tells it to break off.
        private static func fill(
            _ store: StoreProcess, _ key: String, _ file: String, faults: Int
        ) async throws {
            let base = "http://127.0.0.1:\(store.port)"
            let script = """
                head -c 3000000 /dev/urandom > "$1" &&
                curl -fsS -T "$1" "$2/_objects/bucket/$3" &&
                curl -fsS -X PUT -d '{"operation":"GetObject","kind":"cut","times":\(faults)}' \
                    "$2/_fault"
                """
            let result = try await ChildProcess.run(
                "bash", ["-c", script, "bash", file, base, key])
            #expect(result.status == 0, "\(result)")
        }

        @Test(.timeLimit(.minutes(3)), arguments: [nil, "t/+=oken"])
        func aPrivateObjectIsFetchedAndResumed(token: String?) async throws {
            let options = token.map { ["--session-token", $0] } ?? []
            try await World.with(settings: Self.settings) { world in
                try await StoreProcess.with(.strict(options)) { store in
                    let file = world.scratch.file("object")
                    try await Self.fill(store, "a%20b/%C3%BC%2B%3D%26.bin", file, faults: 1)
                    // The raw characters have the signature of their encoded spelling.
                    let url = "http://127.0.0.1:\(store.port)/bucket/a%20b/ü+=&.bin"
                    let client = RelayClient(world)
                    let id = try await client.create(
                        url, to: "null", Self.authorization(secret: "secret", token: token))
                    #expect(try await client.settled(id).state == "succeeded")
                    #expect(try await world.client.hasContent(id, equalTo: file))
                    let log = try await Self.log(store)
                    #expect(log.map(\.operation) == ["GetObject", "GetObject"])
                    #expect(log.map(\.status) == [200, 206])
                    #expect(log.last?.range?.hasPrefix("bytes=") == true)
                    #expect(try await client.text(id, "").contains(#""type":"aws_sigv4""#))
                    #expect(try !world.scratch.read("lull.log").contains("t/+=oken"))
                }
            }
        }

        @Test(.timeLimit(.minutes(3))) func wrongKeysAreReplacedByPATCH() async throws {
            try await World.with(settings: Self.settings) { world in
                try await StoreProcess.with(.strict([])) { store in
                    let file = world.scratch.file("object")
                    try await Self.fill(store, "file", file, faults: 0)
                    let client = RelayClient(world)
                    let id = try await client.create(
                        "http://127.0.0.1:\(store.port)/bucket/file", to: "null",
                        Self.authorization(secret: "wr0ng-secret", token: nil))
                    let refused = try await client.settled(id)
                    #expect(refused.state == "attention_required", "\(refused)")
                    #expect(try await !client.text(id, "").contains("wr0ng-secret"))
                    let changed = Self.authorization(secret: "secret", token: nil).dropFirst()
                    try await client.patch(id, "{\(changed)}")
                    #expect(try await client.act("resume", on: id) == 200)
                    #expect(try await client.settled(id).state == "succeeded")
                    #expect(try await world.client.hasContent(id, equalTo: file))
                }
            }
        }

        /// The object is written by rclone, which signs by itself.
        @Test(.timeLimit(.minutes(3))) func seaweedServesAPrivateObject() async throws {
            try await World.with(settings: Self.settings) { world in
                try await StoreProcess.with(.weed) { store in
                    let file = world.scratch.file("object")
                    let script = """
                        head -c 3000000 /dev/urandom > "$1" &&
                        "$2" --config /dev/null copyto "$1" ":s3,provider=SeaweedFS,\
                        access_key_id=access,secret_access_key=secret,endpoint='$3':bucket/a b+=.bin"
                        """
                    let written = try await ChildProcess.run(
                        "bash",
                        [
                            "-c", script, "bash", file, Repository.path(".venv/bin/rclone"),
                            "http://127.0.0.1:\(store.port)",
                        ])
                    #expect(written.status == 0, "\(written)")
                    let url = "http://127.0.0.1:\(store.port)/bucket/a%20b+=.bin"
                    let client = RelayClient(world)
                    let id = try await client.create(
                        url, to: "null", Self.authorization(secret: "secret", token: nil))
                    #expect(try await client.settled(id).state == "succeeded")
                    #expect(try await world.client.hasContent(id, equalTo: file))
                    let open = try await client.create(url, to: "null")
                    #expect(try await client.settled(open).state == "attention_required")
                }
            }
        }
    }
}
