// Messages to people by the real program: three chats, and mail to a server that wants a password.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct NoticeTests {
        private struct Message: Decodable {
            let to: String
            let headers: [String: String]
            let text: String
        }

        private struct Endpoint: Decodable { let id: String }

        private struct Deliveries: Decodable {
            struct Delivery: Decodable {
                let state: String
                let error: String?
            }

            let data: [Delivery]
        }

        /// A receiver of messages: its URL, and the port of its mail server.
        private struct People {
            let scratch: Scratch
            let url: String
            let port: String

            func messages() throws -> [Message] {
                try scratch.read("messages").split(separator: "\n").map {
                    try JSONDecoder().decode(Message.self, from: Data($0.utf8))
                }
            }
        }

        /// Runs a test beside a receiver of messages, and removes it.
        private func withPeople(_ test: (People) async throws -> Void) async throws {
            let scratch = try Scratch()
            let child = try ChildProcess(
                try Repository.python(),
                [
                    Repository.path("Tests/Receiver/people.py"), scratch.file("address"),
                    scratch.file("messages"),
                ],
                environment: Environment.plain, log: scratch.file("people.log"))
            do {
                let lines = try await eventually("the address of the receiver") {
                    guard child.isRunning else {
                        throw HarnessError("it ended: \(try scratch.read("people.log"))")
                    }
                    let lines = try scratch.read("address").split(separator: "\n").map(String.init)
                    return lines.count == 2 ? lines : nil
                }
                try await test(People(scratch: scratch, url: lines[0], port: lines[1]))
            } catch {
                Issue.record(error)
            }
            _ = await child.stop()
            try scratch.remove()
        }

        private func add(_ world: World, _ format: String, _ url: String) async throws -> String {
            let answer = try await Curl.send(
                "POST", "\(world.lull.base)/v1/webhook_endpoints",
                json: #"{"url":"\#(url)","format":"\#(format)","events":["download.succeeded"]}"#)
            guard answer.status == 201 else { throw HarnessError(answer.body) }
            return try JSONDecoder().decode(Endpoint.self, from: Data(answer.body.utf8)).id
        }

        @Test(.timeLimit(.minutes(3)))
        func everyFormatTellsPeopleOfAFileAndAnswersAPing() async throws {
            try await withPeople { people in
                let settings = [
                    "LULL_SMTP_URL": "smtp://user:p%40ss@127.0.0.1:\(people.port)",
                    "LULL_SMTP_FROM": "lull@example.org",
                    "LULL_PUBLIC_URL": "http://127.0.0.1:1/lull", "LULL_AUTH": "none",
                ]
                try await World.with(settings: settings) { world in
                    try await tellOfAFile(world, people)
                    let config = try await CommandRun.of(
                        ["check-config"], settings: settings, in: world.scratch)
                    #expect(config.status == 0 && config.output.contains("LULL_SMTP_URL"))
                    #expect(!config.output.contains("p%40ss") && !config.output.contains("p@ss"))
                    let log = try world.scratch.read("lull.log")
                    #expect(!log.contains("p@ss") && !log.contains("p%40ss"))
                }
            }
        }

        private func tellOfAFile(_ world: World, _ people: People) async throws {
            var ids: [String] = []
            for format in ["slack", "discord", "ntfy"] {
                ids.append(try await add(world, format, "\(people.url)/\(format)"))
            }
            ids.append(try await add(world, "email", "mailto:night@example.net"))
            _ = try await world.origin.makeFile("größe <!channel>.iso", length: 1000)
            let name = "gr%C3%B6%C3%9Fe%20%3C!channel%3E.iso"
            let id = try await world.client.create(
                LullClient.Order(url: "\(world.origin.base)/\(name)")
            ).id
            let messages = try await eventually("four messages") {
                let messages = try people.messages()
                return messages.count >= 4 ? messages : nil
            }
            let link = "http://127.0.0.1:1/lull/ui/download?id=\(id)"
            let byPlace = Dictionary(grouping: messages, by: \.to).compactMapValues(\.first)
            #expect(Set(byPlace.keys) == ["/slack", "/discord", "/ntfy", "mail"])
            for message in messages {
                #expect(message.headers["webhook-signature"] == nil)
                #expect(message.headers["webhook-id"] == nil)
                #expect(message.text.contains(link) || message.headers["click"] == link)
            }
            #expect(byPlace["/slack"]?.text.contains("e &lt;!channel&gt;.iso") == true)
            #expect(byPlace["/discord"]?.text.contains(#""allowed_mentions":{"parse":[]}"#) == true)
            #expect(byPlace["/ntfy"]?.headers["title"]?.hasPrefix("=?UTF-8?B?") == true)
            let mail = try #require(byPlace["mail"])
            #expect(mail.headers["subject"] == "Downloaded: größe <!channel>.iso")
            #expect(mail.headers["envelope"] == "lull@example.org night@example.net")
            #expect(mail.text.contains("1000B from 127.0.0.1") || mail.text.contains("1kB from"))
            // A ping waits for the end of the minute after a message; a new endpoint has none.
            let fresh = try await add(world, "email", "mailto:other@example.net")
            let refused = try await add(world, "email", "mailto:nobody@example.net")
            for id in [fresh, refused] {
                let answer = try await Curl.send(
                    "POST", "\(world.lull.base)/v1/webhook_endpoints/\(id)/ping", json: "")
                #expect(answer.status == 202)
            }
            try await eventually("the ping") {
                try people.messages().contains { $0.headers["subject"] == "Lull reaches you" }
                    ? () : nil
            }
            let last = try await eventually("the end of a ping to nobody") {
                let answer = try await Curl.get(
                    "\(world.lull.base)/v1/webhook_endpoints/\(refused)/deliveries")
                let list = try JSONDecoder().decode(
                    Deliveries.self, from: Data(answer.body.utf8)
                ).data
                return list.first?.state == "exhausted" ? list.first : nil
            }
            #expect(last.error == "the mail server answered 550")
            let metrics = try await Curl.get("\(world.lull.base)/metrics").body
            #expect(metrics.contains(#"lull_notices_total{format="slack"} 1"#))
            #expect(metrics.contains(#"lull_notices_total{format="email"} 2"#))
        }
    }
}
