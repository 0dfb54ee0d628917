// Files that are fetched and sent on, from the create to the receiver's disk.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct RelayTests {
        /// The members of a download that these tests read.
        struct Relayed: Decodable {
            struct Sent: Decodable { let status: Int }
            struct Failure: Decodable { let code: String }
            struct Content: Decodable { let state: String }
            let id: String
            let state: String
            let attempt: Int
            let countOfBytesSent: Int
            let direction: String?
            let sent: Sent?
            let error: Failure?
            let content: Content?
        }

        /// Creates a download of a file with a destination, in JSON.
        private func create(
            _ world: World, _ file: String, to destination: String
        ) async throws -> String {
            let json = #"{"url":"\#(world.origin.base)/\#(file)","destination":\#(destination)}"#
            let answer = try await Curl.send("POST", "\(world.lull.base)/v1/downloads", json: json)
            guard answer.status == 201 else {
                throw HarnessError("\(answer.status): \(answer.body)")
            }
            return try RelayTests.decoder.decode(Relayed.self, from: Data(answer.body.utf8)).id
        }

        private func relayed(
            _ world: World, _ id: String, wait: Int = 60
        ) async throws -> Relayed {
            let answer = try await Curl.get("\(world.lull.base)/v1/downloads/\(id)?wait=\(wait)")
            return try RelayTests.decoder.decode(Relayed.self, from: Data(answer.body.utf8))
        }

        private static let decoder = {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return decoder
        }()

        @Test(.timeLimit(.minutes(5)), arguments: [0, 1, 70_000, 1_048_577, 20_000_000])
        func aFetchedFileIsSentToItsReceiver(length: Int) async throws {
            try await World.with { world in
                let folder = try world.scratch.folder("received")
                let receiver = try await ForeignServer.webdav(into: folder, in: world.scratch)
                try await receiver.during {
                    let digest = try await world.origin.makeFile("dump.bin", length: length)
                    let id = try await create(
                        world, "dump.bin",
                        to: #"{"url":"\#(receiver.base)/in/dump.bin?token=secret"}"#)
                    let end = try await relayed(world, id)
                    #expect(end.state == "succeeded", "\(end)")
                    #expect(end.sent?.status == 201 && end.countOfBytesSent == length)
                    #expect(end.attempt == 2 && end.content?.state == "held")
                    let came = try await ChildProcess.run(
                        "sha256sum", ["\(folder)/in/dump.bin"])
                    #expect(came.output.hasPrefix(digest))
                    let isWhole = try await world.client.hasContent(
                        id, equalTo: world.origin.files + "/dump.bin")
                    #expect(isWhole)
                    let requests = try world.scratch.read("received.log")
                    #expect(requests.split(separator: "\n").count { $0.hasPrefix("PUT ") } == 1)
                    #expect(requests.contains("application/octet-stream sha-256=:"))
                    #expect(requests.contains(#"attachment; filename="dump.bin""#))
                    let shown = try await Curl.get("\(world.lull.base)/v1/downloads/\(id)").body
                    #expect(!shown.contains("token"))
                }
            }
        }
    }
}
