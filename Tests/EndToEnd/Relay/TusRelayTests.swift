// Files that are sent to receivers that speak tus.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct TusRelayTests {
        private static let settings = [
            "LULL_RETRY_BASE": "50ms", "LULL_RETRY_CAP": "100ms", "LULL_MAX_ATTEMPTS": "4",
        ]
        private static let length = 3_000_000

        /// A world with a strict receiver and a file.
        private func with(
            _ body: (World, TusReceiver, RelayClient, String) async throws -> Void
        ) async throws {
            try await World.with(settings: Self.settings) { world in
                let digest = try await world.origin.makeFile("file", length: Self.length)
                try await TusReceiver.with(in: world.scratch) { receiver in
                    try await body(world, receiver, RelayClient(world), digest)
                    #expect(try receiver.requests().compactMap(\.fault) == [])
                }
            }
        }

        /// Receivers that get the file, with the number of uploads that are created there.
        private static let taking: [(behaviour: String, creations: Int)] = [
            ("plain", 1), ("relative", 1), ("foreign", 1), ("cut-0", 1), ("cut-5", 1),
            ("cut-9", 1), ("drop", 1), ("drop-create", 2), ("piece", 1), ("conflict", 1),
            ("gone-404", 2), ("gone-410", 2), ("mismatch", 1), ("locked", 1), ("busy", 1),
            ("boast", 1), ("silent", 1),
        ]

        /// Receivers that do not, with the state and the failure of the download.
        private static let refusing: [(behaviour: String, state: String, code: String)] = [
            ("denied", "attention_required", "destination_refused"),
            ("unreadable", "attention_required", "destination_refused"),
            ("nowhere", "attention_required", "destination_refused"),
            ("odd", "attention_required", "destination_refused"),
            ("moved", "attention_required", "destination_refused"),
            ("full", "attention_required", "destination_refused"),
            ("later", "attention_required", "destination_refused"),
            ("lost-404", "failed", "bad_server_response"),
            ("lost-410", "failed", "bad_server_response"),
        ]

        @Test(.timeLimit(.minutes(5)))
        func aFileArrivesWhateverTheReceiverLoses() async throws {
            try await with { world, receiver, client, digest in
                var ids: [String] = []
                for (behaviour, _) in Self.taking {
                    ids.append(
                        try await client.create(
                            "\(world.origin.base)/file",
                            to: receiver.destination(behaviour, "a-\(behaviour)")))
                }
                for (id, (behaviour, creations)) in zip(ids, Self.taking) {
                    let end = try await client.settled(id)
                    #expect(end.state == "succeeded", "\(behaviour): \(end)")
                    #expect(end.countOfBytesSent == Self.length, "\(behaviour): \(end)")
                    #expect(try await receiver.digest(of: "a-\(behaviour)") == digest)
                    let created = try receiver.requests().count {
                        $0.method == "POST" && $0.path.hasSuffix("/a-\(behaviour)")
                    }
                    #expect(created == creations, "\(behaviour)")
                }
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func aRefusalKeepsTheFileForItsClient() async throws {
            try await with { world, receiver, client, digest in
                var ids: [String] = []
                for (behaviour, _, _) in Self.refusing {
                    ids.append(
                        try await client.create(
                            "\(world.origin.base)/file",
                            to: receiver.destination(behaviour, "r-\(behaviour)")))
                }
                for (id, (behaviour, state, code)) in zip(ids, Self.refusing) {
                    let end = try await client.settled(id)
                    #expect(end.state == state && end.error?.code == code, "\(behaviour): \(end)")
                    #expect(try await receiver.digest(of: "r-\(behaviour)") == nil)
                }
                // After another URL the same bytes begin anew; after a 403 they go on.
                try await client.patch(
                    ids[0], #"{"destination":\#(receiver.destination("plain", "second"))}"#)
                #expect(try await client.act("resume", on: ids[0]) == 200)
                #expect(try await client.settled(ids[0]).state == "succeeded")
                #expect(try await receiver.digest(of: "second") == digest)
                let later = try #require(
                    Self.refusing.firstIndex { $0.behaviour == "later" })
                #expect(try await client.act("resume", on: ids[later]) == 200)
                #expect(try await client.settled(ids[later]).state == "succeeded")
                #expect(try await receiver.digest(of: "r-later") == digest)
                let creations = try receiver.requests().count {
                    $0.method == "POST" && $0.path.hasSuffix("/r-later")
                }
                #expect(creations == 1)
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func theSecretsOfTheReceiverStayAtItsOrigin() async throws {
            try await with { world, receiver, client, digest in
                let secrets =
                    #","headers":{"X-Key":"k3y"},"authorization":{"type":"bearer","token":"t0k"}"#
                for behaviour in ["plain", "foreign"] {
                    let id = try await client.create(
                        "\(world.origin.base)/file",
                        to: receiver.destination(behaviour, "s-\(behaviour)", secrets),
                        #","filename":"naïve.bin""#)
                    #expect(try await client.settled(id).state == "succeeded")
                    #expect(try await receiver.digest(of: "s-\(behaviour)") == digest)
                }
                for request in try receiver.requests() {
                    let isOwn = request.port != receiver.other
                    #expect(request.key == (isOwn ? "k3y" : nil), "\(request)")
                    #expect(request.authorization == (isOwn ? "Bearer t0k" : nil), "\(request)")
                    guard request.method == "POST" else { continue }
                    let name = Data("naïve.bin".utf8).base64EncodedString()
                    #expect(request.metadata?.hasPrefix("filename \(name),filetype ") == true)
                }
                let foreign = try receiver.requests().contains { $0.port == receiver.other }
                #expect(foreign)
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func anEmptyFileIsAnUploadWithoutBytes() async throws {
            try await with { world, receiver, client, _ in
                let digest = try await world.origin.makeFile("empty", length: 0)
                let id = try await client.create(
                    "\(world.origin.base)/empty", to: receiver.destination("plain", "empty"))
                #expect(try await client.settled(id).state == "succeeded")
                #expect(try await receiver.digest(of: "empty") == digest)
            }
        }

        /// Waits until a third of the file has left.
        private func sending(_ client: RelayClient, _ id: String) async throws {
            _ = try await client.reached(id, "the sending") {
                $0.state == "running" && $0.countOfBytesSent > Self.length / 3
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func aSendingThatWasStoppedGoesOnAtTheOffsetOfTheReceiver() async throws {
            try await with { world, receiver, client, digest in
                let url = "\(world.origin.base)/file"
                let suspended = try await client.create(
                    url, to: receiver.destination("slow-700", "suspended"))
                try await sending(client, suspended)
                #expect(try await client.act("suspend", on: suspended) == 200)
                _ = try await client.reached(suspended, "the suspension") {
                    $0.state == "suspended"
                }
                #expect(try await client.act("resume", on: suspended) == 200)
                let killed = try await client.create(
                    url, to: receiver.destination("slow-700", "killed"))
                try await sending(client, killed)
                await world.lull.killHard()
                try await world.lull.startSupervised()
                for (id, name) in [(suspended, "suspended"), (killed, "killed")] {
                    let end = try await client.settled(id)
                    #expect(end.state == "succeeded", "\(end)")
                    #expect(try await receiver.digest(of: name) == digest)
                }
                let requests = try receiver.requests()
                #expect(requests.count { $0.method == "POST" } == 2)
                #expect(requests.count { $0.method == "HEAD" && $0.status == 200 } >= 2)
            }
        }

        /// The number of kills; `LULL_RELAY_KILLS` has another one.
        private static let kills =
            ProcessInfo.processInfo.environment["LULL_RELAY_KILLS"].flatMap { Int($0) } ?? 3

        @Test(.timeLimit(.minutes(10)))
        func aFileArrivesWholeThroughKillsOfTheProgram() async throws {
            try await with { world, receiver, client, digest in
                var ids: [String] = []
                for number in 0..<Self.kills {
                    ids.append(
                        try await client.create(
                            "\(world.origin.base)/file",
                            to: receiver.destination("slow-700", "k\(number)")))
                    let share = Self.length * number / Self.kills
                    _ = try await client.reached(ids[number], "a part of the file") {
                        $0.countOfBytesSent > share || $0.state == "succeeded"
                    }
                    await world.lull.killHard()
                    try await world.lull.startSupervised()
                }
                for (number, id) in ids.enumerated() {
                    let end = try await client.settled(id)
                    #expect(end.state == "succeeded", "\(end)")
                    #expect(try await receiver.digest(of: "k\(number)") == digest)
                }
                // An upload is named in its row before its first byte, so none begins anew.
                let creations = try receiver.requests().count { $0.method == "POST" }
                #expect(creations == Self.kills)
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func theUploadOfACanceledDownloadIsRemoved() async throws {
            try await with { world, receiver, client, _ in
                let id = try await client.create(
                    "\(world.origin.base)/file", to: receiver.destination("slow-300", "gone"))
                try await sending(client, id)
                #expect(try await client.act("cancel", on: id) == 200)
                _ = try await client.reached(id, "the end") { $0.state == "canceled" }
                let removed = try receiver.requests().contains {
                    $0.method == "DELETE" && $0.status == 204
                }
                #expect(removed)
            }
        }

        /// A server that Lull's authors did not write: tuspyserver, which is FastAPI on uvicorn.
        @Test(.timeLimit(.minutes(5)))
        func tuspyserverTakesFiles() async throws {
            try await World.with(settings: Self.settings) { world in
                let folder = try world.scratch.folder("tuspyserver")
                let server = try await ForeignServer.tuspyserver(into: folder, in: world.scratch)
                let client = RelayClient(world)
                try await server.during {
                    for length in [1, 70_000, 20_000_000] {
                        let name = "file-\(length)"
                        let digest = try await world.origin.makeFile(name, length: length)
                        let id = try await client.create(
                            "\(world.origin.base)/\(name)",
                            to: #"{"url":"\#(server.base)/files","protocol":"tus"}"#)
                        if length > 1_000_000 {
                            try await cut(server, while: client, sends: id)
                        }
                        let end = try await client.settled(id)
                        #expect(end.state == "succeeded", "\(end)")
                        let sums = try await ChildProcess.run(
                            "bash", ["-c", "sha256sum \(folder)/*"])
                        #expect(sums.output.contains(digest), "\(sums.output)")
                    }
                }
            }
        }

        /// Ends the server for a moment, once it has got bytes.
        private func cut(
            _ server: ForeignServer, while client: RelayClient, sends id: String
        ) async throws {
            _ = try await client.reached(id, "the first bytes") {
                $0.countOfBytesSent > 0 || $0.state == "succeeded"
            }
            try await server.cut()
            try await server.start()
        }
    }
}
