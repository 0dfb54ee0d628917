// Files that are fetched and brought into an object store, through the real program.
import Foundation
import Support
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct StoreTests {
        @Test(.timeLimit(.minutes(5)))
        func aFileOfAnyLengthBecomesAnObject() async throws {
            try await StoreWorld.with { store in
                for length in [0, 1, 70_000, 16 << 20, (16 << 20) + 1, 50_000_000] {
                    try await put(length, into: store)
                }
                #expect(try await store.uploads().isEmpty)
                let puts = try await store.requests("PutObject").filter {
                    !($0.key ?? "").contains(".lull/")
                }
                #expect(puts.count == 4)
                #expect(try await store.requests("CompleteMultipartUpload").count == 2)
            }
        }

        private func put(_ length: Int, into store: StoreWorld) async throws {
            let name = "dump-\(length).bin"
            let (id, digest) = try await store.create(
                name, length: length, to: #"{"name":"cold","path":"2026/\#(name)"}"#)
            let end = try await store.client.find(id, wait: 60)
            #expect(end.state == "succeeded", "\(end)")
            #expect(end.content?.state == "held" && end.attempt == 2)
            #expect(end.countOfBytesSent == length)
            let object = try #require(try await store.objects()["2026/\(name)"])
            #expect(object.size == length && object.sha256 == digest)
            #expect(object.metadata["lull-download"] == id)
            #expect(object.metadata["lull-sha256"] == digest)
            #expect(object.disposition?.contains(name) == true)
            let shown = try await store.client.text(id, "")
            #expect(shown.contains(#""location":"store""#), "\(shown)")
            #expect(shown.contains(#""destination":{"name":"cold","path":"2026/\#(name)"}"#))
        }

        @Test(.timeLimit(.minutes(5)))
        func anObjectOfAnotherDownloadIsTreatedAsTheClientWants() async throws {
            try await StoreWorld.with { store in
                var made: [String: String] = [:]
                func end(
                    _ rule: String, _ name: String, length: Int
                ) async throws -> (RelayClient.Relayed, String) {
                    let digest =
                        if let known = made[name] { known } else {
                            try await store.world.origin.makeFile(name, length: length)
                        }
                    made[name] = digest
                    let id = try await store.client.create(
                        "\(store.world.origin.base)/\(name)",
                        to: #"{"name":"cold","path":"a.bin","on_conflict":"\#(rule)"}"#)
                    return (try await store.client.settled(id), digest)
                }
                let (first, digest) = try await end("fail", "one", length: 1000)
                #expect(first.state == "succeeded")
                for length in [2000, 17_000_000] {
                    let (conflict, _) = try await end("fail", "two-\(length)", length: length)
                    #expect(conflict.state == "attention_required", "\(conflict)")
                    #expect(conflict.error?.code == "destination_conflict", "\(conflict)")
                }
                #expect(try await store.objects()["a.bin"]?.sha256 == digest)
                let (same, _) = try await end("replace_if_same", "one", length: 1000)
                #expect(same.state == "succeeded", "\(same)")
                #expect(try await store.objects()["a.bin"]?.metadata["lull-download"] == first.id)
                let (other, _) = try await end("replace_if_same", "three", length: 3000)
                #expect(other.error?.code == "destination_conflict", "\(other)")
                let (renamed, fourth) = try await end("rename", "four", length: 4000)
                #expect(renamed.state == "succeeded", "\(renamed)")
                #expect(try await store.objects()["a (1).bin"]?.sha256 == fourth)
                let (replaced, fifth) = try await end("replace", "five", length: 18_000_000)
                #expect(replaced.state == "succeeded", "\(replaced)")
                #expect(try await store.objects()["a.bin"]?.sha256 == fifth)
                #expect(try await store.objects().count == 2)
            }
        }

        @Test(
            .timeLimit(.minutes(5)),
            arguments: [
                ("PutObject", 1000), ("CreateMultipartUpload", 17_000_000),
                ("UploadPart", 17_000_000),
                ("CompleteMultipartUpload", 17_000_000),
            ])
        func aLostOrWrongAnswerCostsNothing(_ operation: String, _ length: Int) async throws {
            try await StoreWorld.with { store in
                // The store is proved to honour conditions before it fails.
                let (known, _) = try await store.create(
                    "known", length: 1, to: #"{"name":"cold","path":"known"}"#)
                #expect(try await store.client.settled(known).state == "succeeded")
                let kinds =
                    [
                        "slowdown", "internal", "gateway", "timeout", "conflict-409",
                        "close-before",
                        "close-after", "cut",
                    ]
                    + (operation == "CompleteMultipartUpload" ? ["error-200"] : [])
                    + (operation == "UploadPart" ? [] : ["garbage-200"])
                for kind in kinds {
                    try await store.fail(operation, kind)
                    let (id, digest) = try await store.create(
                        kind, length: length, to: #"{"name":"cold","path":"\#(kind)"}"#)
                    let end = try await store.client.settled(id)
                    #expect(end.state == "succeeded", "\(kind): \(end)")
                    let object = try await store.objects()[kind]
                    #expect(object?.sha256 == digest, "\(kind)")
                    #expect(object?.metadata["lull-download"] == id, "\(kind)")
                }
                #expect(try await store.objects().count == kinds.count + 1)
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func aRefusalIsShownWithTheCodeOfTheStore() async throws {
            try await StoreWorld.with { store in
                for (kind, code) in [("denied", "AccessDenied"), ("moved-301", "Redirect")] {
                    try await store.fail("PutObject", kind, times: 2)
                    let (id, digest) = try await store.create(
                        kind, length: 1000, to: #"{"name":"cold","path":"\#(kind)"}"#)
                    let end = try await store.client.settled(id)
                    #expect(end.state == "attention_required", "\(end)")
                    #expect(end.error?.code == "destination_unavailable", "\(end)")
                    #expect(try await store.client.text(id, "").contains(code))
                    #expect(end.countOfBytesReceived == 1000)
                    try await eventually("the end of \(id)") {
                        let state = try await store.client.find(id).state
                        if state == "succeeded" { return () }
                        _ = try await store.client.act("resume", on: id)
                        return nil
                    }
                    #expect(try await store.objects()[kind]?.sha256 == digest)
                }
            }
        }
    }
}
