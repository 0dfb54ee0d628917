// Actions on downloads that are fetched or sent: suspend, resume, cancel, the end of the program,
// another receiver, and the file afterwards.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct RelayLifeTests {
        private static let length = 6_000_000

        private static let settings = [
            "LULL_RETRY_BASE": "50ms", "LULL_RETRY_CAP": "100ms", "LULL_MAX_ATTEMPTS": "3",
        ]

        /// A world with a receiver, and a file of which six megabytes are fetched slowly.
        private func with(
            originBytesPerSecond: Int? = nil, ports: Int = 1,
            _ body: (World, Taker, RelayClient) async throws -> Void
        ) async throws {
            try await World.with(
                settings: Self.settings, originBytesPerSecond: originBytesPerSecond
            ) { world in
                _ = try await world.origin.makeFile("file", length: Self.length)
                try await Taker.with(ports: ports, in: world.scratch) { taker in
                    try await body(world, taker, RelayClient(world))
                }
            }
        }

        private func fetches(_ world: World) throws -> Int {
            try world.scratch.read("nginx/access.log").split(separator: "\n").count {
                $0.contains("GET /file ")
            }
        }

        private func destination(
            _ taker: Taker, _ name: String, _ method: String = "PUT", at port: Int = 0
        ) -> String {
            #"{"url":"\#(taker.bases[port])/slow/2000/\#(name)","method":"\#(method)"}"#
        }

        /// Waits until bytes of the file are on their way to the receiver.
        private func sending(_ client: RelayClient, _ id: String) async throws {
            _ = try await client.reached(id, "the sending") {
                $0.state == "running" && $0.direction == "send" && $0.countOfBytesSent > 0
            }
        }

        private func whole(_ taker: Taker, _ name: String) throws -> Int {
            try taker.requests(of: name).count(where: \.whole)
        }

        /// A PUT goes on with the file that is here; a POST asks first, because a part of it left.
        @Test(.timeLimit(.minutes(5)))
        func aSuspendedSendingGoesOnWithoutAnotherFetch() async throws {
            try await with(ports: 3) { world, taker, client in
                let url = "\(world.origin.base)/file"
                let put = try await client.create(url, to: destination(taker, "put"))
                let post = try await client.create(
                    url, to: destination(taker, "post", "POST", at: 1))
                let gone = try await client.create(url, to: destination(taker, "gone", at: 2))
                for id in [put, post, gone] { try await sending(client, id) }
                #expect(try await client.act("suspend", on: put) == 200)
                #expect(try await client.act("suspend", on: post) == 200)
                #expect(try await client.act("cancel", on: gone) == 200)
                _ = try await client.reached(put, "the suspension") { $0.state == "suspended" }
                let asked = try await client.reached(post, "the question") {
                    ["suspended", "attention_required"].contains($0.state)
                }
                #expect(asked.error?.code == "destination_outcome_unknown", "\(asked)")
                _ = try await client.reached(gone, "the cancel") { $0.state == "canceled" }
                #expect(try await client.act("resume", on: put) == 200)
                #expect(try await client.act("resume", on: post) == 200)
                for id in [put, post] {
                    let end = try await client.settled(id)
                    #expect(end.state == "succeeded" && end.attempt == 3, "\(end)")
                }
                #expect(try whole(taker, "put") == 1 && whole(taker, "post") == 1)
                #expect(try whole(taker, "gone") == 0)
                #expect(try fetches(world) == 3)
                // Two files are kept; the canceled one is not.
                _ = try await eventually("the removal") {
                    try ContentFolder(world.scratch.file("data")).names().count == 2 ? () : nil
                }
            }
        }

        /// A suspended fetch is continued, and the file is sent once.
        @Test(.timeLimit(.minutes(5)))
        func aSuspendedFetchIsContinuedAndThenSent() async throws {
            try await with(originBytesPerSecond: 3_000_000, ports: 2) { world, taker, client in
                let url = "\(world.origin.base)/file"
                let id = try await client.create(url, to: destination(taker, "file"))
                let gone = try await client.create(url, to: destination(taker, "gone", at: 1))
                for id in [id, gone] {
                    _ = try await client.reached(id, "the fetch") { $0.countOfBytesReceived > 0 }
                }
                #expect(try await client.act("suspend", on: id) == 200)
                #expect(try await client.act("cancel", on: gone) == 200)
                let held = try await client.reached(id, "the suspension") {
                    $0.state == "suspended"
                }
                #expect(held.direction != "send" && held.countOfBytesReceived < Self.length)
                #expect(try await client.act("resume", on: id) == 200)
                #expect(try await client.settled(id).state == "succeeded")
                #expect(try whole(taker, "file") == 1)
                #expect(try taker.requests(of: "gone").isEmpty)
                #expect(try await client.find(gone).state == "canceled")
            }
        }

        /// The program ends while it sends: the file is sent after the next start.
        @Test(.timeLimit(.minutes(5)))
        func aSendingIsRepeatedAfterTheEndOfTheProgram() async throws {
            try await with(ports: 2) { world, taker, client in
                let url = "\(world.origin.base)/file"
                let put = try await client.create(url, to: destination(taker, "put"))
                let post = try await client.create(
                    url, to: destination(taker, "post", "POST", at: 1))
                for id in [put, post] { try await sending(client, id) }
                #expect(await world.lull.stop() == 0)
                try await world.lull.start()
                #expect(try await client.settled(put).state == "succeeded")
                let asked = try await client.settled(post)
                // The drain lets a transfer end that is quick enough.
                if asked.state == "succeeded" {
                    #expect(try whole(taker, "post") == 1)
                } else {
                    #expect(asked.error?.code == "destination_outcome_unknown", "\(asked)")
                    #expect(try whole(taker, "post") == 0)
                }
                #expect(try fetches(world) == 2)
            }
        }

        /// A refused file goes to another receiver, and one that is not kept is nowhere else.
        @Test(.timeLimit(.minutes(5)))
        func aRefusedFileGoesToAnotherReceiverAndOneThatIsNotKeptIsGone() async throws {
            try await with(ports: 3) { world, taker, client in
                let url = "\(world.origin.base)/file"
                let refused = try await client.create(
                    url, to: #"{"url":"\#(taker.bases[0])/early/403/moved"}"#)
                #expect(try await client.settled(refused).error?.code == "destination_refused")
                let other = #"{"destination":{"url":"\#(taker.bases[1])/whole/other"}}"#
                try await client.patch(refused, other)
                #expect(try await client.act("resume", on: refused) == 200)
                #expect(try await client.settled(refused).state == "succeeded")
                #expect(try whole(taker, "other") == 1)
                #expect(try fetches(world) == 1)

                let names = try ContentFolder(world.scratch.file("data")).names()
                let gone = try await client.create(
                    url,
                    to: #"{"url":"\#(taker.bases[2])/whole/gone","keep_content":false}"#)
                let end = try await client.settled(gone)
                #expect(end.state == "succeeded" && end.content?.state == "released", "\(end)")
                let content = try await Curl.get("\(client.base)/v1/downloads/\(gone)/content")
                #expect(content.status == 410, "\(content)")
                _ = try await eventually("the removal") {
                    let now = try ContentFolder(world.scratch.file("data")).names()
                    return now.sorted() == names.sorted() ? () : nil
                }
            }
        }

        /// A receiver that fails until the tries are used up: `retry` sends the kept bytes.
        @Test(.timeLimit(.minutes(5)))
        func aRetryAfterAFailureSendsTheKeptBytes() async throws {
            try await with(ports: 2) { world, taker, client in
                let id = try await client.create(
                    "\(world.origin.base)/file",
                    to: #"{"url":"\#(taker.bases[0])/early/500/failing"}"#)
                #expect(try await client.settled(id).state == "failed")
                try await client.patch(
                    id, #"{"destination":{"url":"\#(taker.bases[1])/whole/failing"}}"#)
                #expect(try await client.act("retry", on: id) == 200)
                #expect(try await client.settled(id).state == "succeeded")
                #expect(try fetches(world) == 1)
                #expect(try whole(taker, "failing") == 1)
            }
        }
    }
}
