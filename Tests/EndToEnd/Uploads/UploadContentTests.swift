// The bytes of uploads: brought by curl and by tuspy, and sent on to a receiver.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct UploadContentTests {
        /// Runs a test with a receiver that keeps what it gets below a folder.
        private func with(
            _ body: @Sendable (World, ForeignServer, _ folder: String) async throws -> Void
        ) async throws {
            try await World.with { world in
                let folder = try world.scratch.folder("received")
                let receiver = try await ForeignServer.webdav(into: folder, in: world.scratch)
                try await receiver.during { try await body(world, receiver, folder) }
            }
        }

        private func sum(_ path: String) async throws -> String {
            let result = try await ChildProcess.run("sha256sum", [path])
            return String(result.output.prefix(64))
        }

        @Test(.timeLimit(.minutes(5)))
        func aFileThatIsPutArrivesAtItsReceiver() async throws {
            try await with { world, receiver, folder in
                let client = UploadClient(base: world.lull.base)
                for length in [0, 1, 70_000, 4_194_305, 30_000_000] {
                    let name = "put-\(length).bin"
                    let digest = try await world.origin.makeFile(name, length: length)
                    let file = world.origin.files + "/" + name
                    let made = try await client.create(length, to: "\(receiver.base)/in/\(name)")
                    #expect(made.state == "receiving" && made.length == length)
                    let answer = try await client.put(file, to: made.content.href)
                    #expect(answer.status == "204", "\(length): \(answer.body)")
                    let end = try await client.find(made.id, wait: 60)
                    #expect(end.state == "succeeded" && end.content.state == "sent", "\(end)")
                    #expect(try await sum("\(folder)/in/\(name)") == digest)
                    #expect(end.content.sha256 == digest)
                }
                let parts = try await ChildProcess.run(
                    "find", [world.scratch.file("data/content"), "-type", "f"])
                #expect(parts.output.isEmpty, "staged bytes go once they are sent")
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func tuspyGoesOnAtTheOffsetAfterAKill() async throws {
            try await with { world, receiver, folder in
                let client = UploadClient(base: world.lull.base)
                let length = 9_000_000
                let digest = try await world.origin.makeFile("tus.bin", length: length)
                let file = world.origin.files + "/tus.bin"
                for checksum in [false, true] {
                    let name = "tus-\(checksum)"
                    let made = try await client.create(length, to: "\(receiver.base)/in/\(name)")
                    let href = made.content.href
                    var offset = 0
                    for stop in [1_000_000, 1_000_001, 5_000_000, length] {
                        let (began, ended) = { ($0[0], $0[1]) }(
                            try await client.tus(
                                file, to: href, chunk: 700_000, stop: stop, checksum: checksum))
                        #expect(began == offset && ended >= stop)
                        offset = ended
                        if stop < length {
                            await world.lull.killHard()
                            try await world.lull.startSupervised()
                        }
                    }
                    let end = try await client.find(made.id, wait: 60)
                    #expect(end.state == "succeeded", "\(end)")
                    #expect(try await sum("\(folder)/in/\(name)") == digest)
                }
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func aLieAboutDigestOrLengthIsNotSent() async throws {
            try await with { world, receiver, _ in
                let client = UploadClient(base: world.lull.base)
                let digest = try await world.origin.makeFile("lie.bin", length: 100_000)
                let file = world.origin.files + "/lie.bin"
                let other = String(repeating: "0", count: 64)
                let url = "\(receiver.base)/in/lie"
                let long = try await client.create(100_001, to: url)
                let answer = try await client.put(file, to: long.content.href)
                #expect(answer.status == "422")
                #expect(answer.body.contains("100000") && answer.body.contains("100001"))
                let wrong = try await client.create(
                    100_000, to: url, #","expected_digest":"sha256:\#(other)""#)
                let refused = try await client.put(file, to: wrong.content.href)
                #expect(refused.status == "422" && refused.body.contains("digest-mismatch"))
                #expect(refused.body.contains(digest) && refused.body.contains(other))
                #expect(try await client.find(wrong.id).state == "receiving")
                let false64 = Data(repeating: 1, count: 32).base64EncodedString()
                let made = try await client.create(100_000, to: url)
                let lied = try await client.put(
                    file, to: made.content.href, ["Repr-Digest: sha-256=:\(false64):"])
                #expect(lied.status == "422")
                let true64 = Data(hex: digest).base64EncodedString()
                for _ in 0..<2 {
                    let told = try await client.put(
                        file, to: made.content.href, ["Repr-Digest: sha-256=:\(true64):"])
                    #expect(told.status == "204", "the first answer comes again: \(told.body)")
                }
                #expect(try await client.put(file, to: made.content.href).status == "409")
                #expect(try await client.find(made.id, wait: 60).state == "succeeded")
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func anyReplicaTakesBytesForTheOneThatHasTheFile() async throws {
            try await Fleet.with { _, _ in
                Fleet.Plan()
            } _: { fleet in
                let folder = try fleet.scratch.folder("received")
                let receiver = try await ForeignServer.webdav(into: folder, in: fleet.scratch)
                try await receiver.during {
                    let (first, second) = (
                        UploadClient(base: fleet.replicas[0].base),
                        UploadClient(base: fleet.replicas[1].base)
                    )
                    for length in [0, 1, 131_072, 5_000_000] {
                        let digest = try await fleet.origin.makeFile("f\(length)", length: length)
                        let file = fleet.origin.files + "/f\(length)"
                        let made = try await first.create(
                            length, to: "\(receiver.base)/in/put-\(length)")
                        let put = try await second.put(file, to: made.content.href)
                        #expect(put.status == "204", "\(put.body)")
                        #expect(try await first.find(made.id, wait: 60).state == "succeeded")
                        #expect(try await sum("\(folder)/in/put-\(length)") == digest)
                        guard length > 1 else { continue }
                        let tus = try await first.create(
                            length, to: "\(receiver.base)/in/tus-\(length)")
                        let half = try await second.tus(
                            file, to: tus.content.href, chunk: 100_000, stop: length / 2)
                        let rest = try await first.tus(
                            file, to: tus.content.href, chunk: 100_000, stop: length,
                            checksum: true)
                        #expect(half[0] == 0 && rest[0] == half[1])
                        #expect(try await second.find(tus.id, wait: 60).state == "succeeded")
                        #expect(try await sum("\(folder)/in/tus-\(length)") == digest)
                    }
                    let chunked = try await first.create(1, to: "\(receiver.base)/in/chunked")
                    let one = fleet.origin.files + "/f1"
                    let coding = ["Transfer-Encoding: chunked", "Content-Length:"]
                    let hint = try await second.put(one, to: chunked.content.href, coding)
                    #expect(hint.status == "422" && hint.body.contains("Content-Length"))
                    let taken = try await first.put(one, to: chunked.content.href, coding)
                    #expect(taken.status == "204", "\(taken.body)")
                    let away = try await first.create(10, to: "\(receiver.base)/in/away")
                    await fleet.replicas[0].killHard()
                    let file = fleet.origin.files + "/f1"
                    let refused = try await second.put(
                        file, to: away.content.href, ["Content-Length: 10"])
                    #expect(refused.status == "503" || refused.status == "422", "\(refused.body)")
                }
            }
        }
    }
}

extension Data {
    /// The bytes of hexadecimal digits.
    fileprivate init(hex: String) {
        var digits = Array(hex)[...]
        self.init()
        while digits.count > 1 {
            append(UInt8(String(digits.prefix(2)), radix: 16) ?? 0)
            digits = digits.dropFirst(2)
        }
    }
}
