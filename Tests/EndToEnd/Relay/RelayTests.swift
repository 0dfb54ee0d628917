// Files that are fetched and sent on, from the create to the receiver's disk.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct RelayTests {
        @Test(.timeLimit(.minutes(5)))
        func aFetchedFileIsSentToItsReceiver() async throws {
            try await World.with { world in
                let folder = try world.scratch.folder("received")
                let receiver = try await ForeignServer.webdav(into: folder, in: world.scratch)
                try await receiver.during {
                    for length in [0, 1, 70_000, 1_048_577, 20_000_000] {
                        try await send(length, through: world, to: receiver, folder)
                    }
                }
                let requests = try world.scratch.read("received.log")
                #expect(requests.split(separator: "\n").count { $0.hasPrefix("PUT ") } == 5)
            }
        }

        /// Sends a file of that length, and checks where it is afterwards.
        private func send(
            _ length: Int, through world: World, to receiver: ForeignServer, _ folder: String
        ) async throws {
            let client = RelayClient(world)
            let name = "dump-\(length).bin"
            let digest = try await world.origin.makeFile(name, length: length)
            let id = try await client.create(
                "\(world.origin.base)/\(name)",
                to: #"{"url":"\#(receiver.base)/in/\#(name)?token=secret"}"#)
            let end = try await client.find(id, wait: 60)
            #expect(end.state == "succeeded", "\(end)")
            #expect(end.sent?.status == 201 && end.countOfBytesSent == length)
            #expect(end.attempt == 2 && end.content?.state == "held")
            let came = try await ChildProcess.run("sha256sum", ["\(folder)/in/\(name)"])
            #expect(came.output.hasPrefix(digest))
            let isWhole = try await world.client.hasContent(
                id, equalTo: world.origin.files + "/" + name)
            #expect(isWhole)
            let requests = try world.scratch.read("received.log")
            // nginx writes a quote as \x22.
            let disposition = #"attachment; filename=\x22\#(name)\x22"#
            let line = try #require(
                requests.split(separator: "\n").last { $0.contains(" /in/\(name) ") })
            #expect(line.contains("201 text/plain sha-256=:"), "\(line)")
            #expect(line.contains(disposition), "\(line)")
            #expect(try await !client.text(id, "").contains("token"))
        }
    }
}
