// Interruptions of uploads, orders, and the end of content in a store.
import Foundation
import Support
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct StoreLifeTests {
        @Test(.timeLimit(.minutes(5)))
        func aKilledProgramGoesOnWithTheParts() async throws {
            try await StoreWorld.with { store in
                let (id, digest) = try await store.create(
                    "big", length: 60_000_000, to: #"{"name":"cold","path":"big"}"#,
                    #","max_bytes_per_second":20000000"#)
                try await eventually("two parts") {
                    try await store.uploads().values.contains { $0.parts.count >= 2 } ? () : nil
                }
                await store.world.lull.killHard()
                let there = try #require(try await store.uploads().first)
                try await store.world.lull.start()
                let end = try await store.client.settled(id)
                #expect(end.state == "succeeded", "\(end)")
                #expect(try await store.objects()["big"]?.sha256 == digest)
                #expect(try await store.uploads().isEmpty)
                #expect(try await store.requests("CreateMultipartUpload").count == 1)
                let parts = try await store.requests("UploadPart").count { $0.status == 200 }
                #expect(parts == 8, "\(there.value.parts.count) were there at the kill")
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func aCanceledDownloadAbortsItsUpload() async throws {
            try await StoreWorld.with { store in
                let (id, _) = try await store.create(
                    "big", length: 60_000_000, to: #"{"name":"cold","path":"big"}"#,
                    #","max_bytes_per_second":10000000"#)
                try await eventually("a part") {
                    try await store.uploads().values.contains { !$0.parts.isEmpty } ? () : nil
                }
                #expect(try await store.client.act("cancel", on: id) < 300)
                #expect(try await store.client.settled(id).state == "canceled")
                #expect(try await store.uploads().isEmpty)
                #expect(try await store.objects().isEmpty)
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func aSuspendedUploadIsContinued() async throws {
            try await StoreWorld.with { store in
                let (id, digest) = try await store.create(
                    "big", length: 60_000_000, to: #"{"name":"cold","path":"big"}"#,
                    #","max_bytes_per_second":20000000"#)
                try await eventually("a part") {
                    try await store.uploads().values.contains { !$0.parts.isEmpty } ? () : nil
                }
                #expect(try await store.client.act("suspend", on: id) < 300)
                _ = try await store.client.reached(id, "the suspension") { $0.state == "suspended" }
                #expect(try await store.uploads().count == 1)
                #expect(try await store.client.act("resume", on: id) < 300)
                #expect(try await store.client.settled(id).state == "succeeded")
                #expect(try await store.objects()["big"]?.sha256 == digest)
                #expect(try await store.requests("CreateMultipartUpload").count == 1)
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func anObjectGoesWithItsContentIfTheClientDoesNotKeepIt() async throws {
            try await StoreWorld.with { store in
                func stored(_ name: String, _ members: String) async throws -> String {
                    let (id, _) = try await store.create(
                        name, length: 100, to: #"{"name":"cold","path":"\#(name)"\#(members)}"#)
                    #expect(try await store.client.settled(id).state == "succeeded")
                    return id
                }
                let kept = try await stored("kept", "")
                let keptAlone = try await stored("kept-alone", "")
                let gone = try await stored("gone", #","keep":false"#)
                let deleted = try await stored("deleted", #","keep":false"#)
                let taken = try await stored("taken", #","keep":false"#)
                // Another download has replaced the object since.
                let other = try await store.create(
                    "other", length: 200,
                    to: #"{"name":"cold","path":"taken","on_conflict":"replace"}"#
                ).id
                #expect(try await store.client.settled(other).state == "succeeded")
                for id in [kept, taken, gone] {
                    let answer = try await Curl.send(
                        "DELETE", "\(store.client.base)/v1/downloads/\(id)/content", json: "{}")
                    #expect(answer.status < 300, "\(answer)")
                }
                for id in [keptAlone, deleted] {
                    let answer = try await Curl.send(
                        "DELETE", "\(store.client.base)/v1/downloads/\(id)", json: "{}")
                    #expect(answer.status == 204, "\(answer)")
                }
                try await eventually("the removal of the objects") {
                    let left = try await store.objects()
                    return left["gone"] == nil && left["deleted"] == nil ? () : nil
                }
                let left = try await store.objects()
                #expect(Set(left.keys) == ["kept", "kept-alone", "taken"])
                #expect(left["taken"]?.metadata["lull-download"] == other)
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func aStoreThatIsAwayDelaysOnlyItsDownloads() async throws {
            let port = try await freePort()
            try await World.with(settings: StoreWorld.settings(port: port)) { world in
                let digest = try await world.origin.makeFile("file", length: 1000)
                let client = RelayClient(world)
                let id = try await client.create(
                    "\(world.origin.base)/file", to: #"{"name":"cold"}"#)
                _ = try await client.reached(id, "the file") { $0.direction == "send" }
                let process = try await StoreProcess(.strict(["--port", "\(port)"]))
                let store = StoreWorld(world: world, port: port)
                let end = try await client.settled(id)
                #expect(end.state == "succeeded", "\(end)")
                #expect(try await store.objects()["file"]?.sha256 == digest)
                try await process.end()
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func credentialsAreReadAnew() async throws {
            let file = FileManager.default.temporaryDirectory
                .appending(path: "lull-aws-\(UUID().uuidString)")
            func write(_ secret: String) throws {
                let text = "[default]\naws_access_key_id=access\naws_secret_access_key=\(secret)\n"
                try Data(text.utf8).write(to: file)
            }
            try write("secret")
            try await StoreWorld.with(.strict([]), "&credentials_file=\(file.path)") { store in
                for (name, secret) in [("one", "secret"), ("two", "another")] {
                    try write(secret)
                    try await store.tell(
                        "/_keys", #"{"access":"access","secret":"\#(secret)","token":null}"#)
                    let (id, _) = try await store.create(
                        name, length: 10, to: #"{"name":"cold","path":"\#(name)"}"#)
                    #expect(try await store.client.settled(id).state == "succeeded")
                }
            }
            try FileManager.default.removeItem(at: file)
        }

        @Test(.timeLimit(.minutes(5)))
        func aStoreThatIgnoresConditionsOnlyReplaces() async throws {
            try await StoreWorld.with(.strict(["--ignore-conditions"])) { store in
                let (id, _) = try await store.create(
                    "a", length: 10, to: #"{"name":"cold","path":"a"}"#)
                let end = try await store.client.settled(id)
                #expect(end.error?.code == "destination_unavailable", "\(end)")
                #expect(try await store.client.text(id, "").contains("ignores conditions"))
                let (other, digest) = try await store.create(
                    "b", length: 10, to: #"{"name":"cold","path":"a","on_conflict":"replace"}"#)
                #expect(try await store.client.settled(other).state == "succeeded")
                #expect(try await store.objects()["a"]?.sha256 == digest)
                #expect(try await store.objects().count == 1)
            }
        }

        @Test(.timeLimit(.minutes(5)), arguments: ["crc64nvme", "none"])
        func otherChecksumsWork(_ checksum: String) async throws {
            try await StoreWorld.with(.strict([]), "&checksum=\(checksum)") { store in
                for length in [1000, 17_000_000] {
                    let (id, digest) = try await store.create(
                        "f\(length)", length: length, to: #"{"name":"cold"}"#)
                    let end = try await store.client.settled(id)
                    #expect(end.state == "succeeded", "\(end)")
                    #expect(try await store.objects()["f\(length)"]?.sha256 == digest)
                }
            }
        }
    }
}
