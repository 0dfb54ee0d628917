// Endpoints that tell people: their formats, and which of their members are refused.
import Base
import Downloads
import Postgres
import Testing

@testable import API

@Suite struct EndpointFormatTests {
    private static let path = "/v1/webhook_endpoints"

    @Test func aFormatIsShownAndChanged() async throws {
        try await APIWorld.with { world in
            let plain = await world.send("POST", Self.path, #"{"url":"https://h.example/a"}"#)
            #expect(plain.json["format"] == "standard")
            let place = try #require(plain["Location"])
            for (patch, format, url) in [
                (#"{"format":"slack"}"#, "slack", "https://h.example/a"),
                (#"{"format":"ntfy","url":"https://h.example/b"}"#, "ntfy", "https://h.example/b"),
                (#"{"format":"email","url":"mailto:a@b.example"}"#, "email", "mailto:a@b.example"),
                (#"{"description":"d"}"#, "email", "mailto:a@b.example"),
                (
                    #"{"format":"discord","url":"https://h.example/"}"#, "discord",
                    "https://h.example/"
                ),
                (#"{"format":null}"#, "standard", "https://h.example/"),
            ] as [(String, JSON, JSON)] {
                let answer = await world.send("PATCH", place, patch)
                #expect(answer.status == 200, "\(patch): \(answer.text)")
                #expect(answer.json["format"] == format && answer.json["url"] == url)
                let read = await world.send("GET", place)
                #expect(read.json["format"] == format)
            }
        }
    }

    @Test(arguments: [
        (#"{"url":"https://h.example/","format":"pager"}"#, "#/format"),
        (#"{"url":"https://h.example/","format":"email"}"#, "#/url"),
        (#"{"url":"mailto:a@b@c","format":"email"}"#, "#/url"),
        (#"{"url":"mailto:a@b?bcc=c@d","format":"email"}"#, "#/url"),
        (#"{"url":"mailto:a@b\r\nc@d","format":"email"}"#, "#/url"),
        (#"{"url":"mailto:a@b"}"#, "#/format"),
        (#"{"url":"mailto:a@b","format":"email","headers":{"X":"y"}}"#, "#/headers"),
        (
            #"{"url":"mailto:a@b","format":"email","authorization":{"type":"bearer","token":"t"}}"#,
            "#/authorization"
        ),
        (
            #"{"url":"https://h.example/","format":"slack","events":["session.wake"]}"#, "#/events"
        ),
        (
            #"{"url":"https://h.example/","format":"ntfy","events":["download.progress"]}"#,
            "#/events"
        ),
    ])
    func membersThatDoNotFitTheFormatAreRefused(_ body: String, _ pointer: String) async throws {
        let world = try APIWorld.alone()
        let answer = await world.send("POST", Self.path, body)
        #expect(answer.status == 422, "\(answer.text)")
        #expect(answer.json["errors"]?[0]?["pointer"] == .string(pointer), "\(answer.text)")
    }

    @Test func aChatAtAnAddressThatIsNotAllowedIsRefusedAsAnyReceiver() async throws {
        let world = try APIWorld.alone()
        for format in ["standard", "slack", "discord", "ntfy"] {
            let answer = await world.send(
                "POST", Self.path, #"{"url":"http://127.0.0.1/","format":"\#(format)"}"#)
            #expect(answer.json["code"] == "destination-not-allowed", "\(answer.text)")
        }
    }

    @Test func patternsMeanNoEventThatOnlyProgramsCanUse() async throws {
        try await APIWorld.with { world in
            for format in ["standard", "slack"] {
                let body = #"{"url":"https://h.example/","format":"\#(format)","events":["*"]}"#
                let made = await world.send("POST", Self.path, body)
                #expect(made.status == 201 && made.json["events"] == ["*"])
            }
            let masks = try await world.pool.query(
                "SELECT event_mask FROM webhook_endpoints ORDER BY endpoint_no"
            ).map { EventSet(bits: try $0.get(0)) }
            #expect(masks[0].contains(.sessionWake) && masks[0].contains(.progress))
            for type in EventType.allCases {
                #expect(masks[1].contains(type) == !NoticeFormat.untold.contains(type))
            }
        }
    }

    @Test func anAppHasABoundedNumberOfEndpointsForMail() async throws {
        try await APIWorld.with { world in
            for number in 0..<EndpointSpec.mailCountAtMost {
                let made = await world.send(
                    "POST", Self.path, #"{"url":"mailto:a\#(number)@b","format":"email"}"#)
                #expect(made.status == 201)
            }
            let more = await world.send(
                "POST", Self.path, #"{"url":"mailto:x@b","format":"email"}"#)
            #expect(more.status == 409 && more.text.contains("20 endpoints with the format email"))
            let chat = await world.send("POST", Self.path, #"{"url":"https://h.example/"}"#)
            let place = try #require(chat["Location"])
            let turned = await world.send(
                "PATCH", place, #"{"url":"mailto:x@b","format":"email"}"#)
            #expect(turned.status == 409)
        }
    }

    @Test func mailNeedsAServerOfTheOperator() async throws {
        try await APIWorld.with { world in
            var dependencies = world.dependencies
            dependencies.settings.sendsMail = false
            let router = Router(dependencies)
            var silent = world
            silent.handler = { router.answer($0) }
            let answer = await silent.send(
                "POST", Self.path, #"{"url":"mailto:a@b","format":"email"}"#)
            #expect(answer.status == 422 && answer.text.contains("LULL_SMTP_URL"))
        }
    }
}
