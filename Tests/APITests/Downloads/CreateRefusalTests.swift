// Invalid bodies, each with the kind of its problem and the pointer to its fault.
import Base
import Testing

@testable import API

@Suite struct CreateRefusalTests {
    @Test(
        arguments: [
            ("{}", ["#/url"]), ("[]", ["#"]), ("1", ["#"]), ("null", ["#"]),
            (#"{"url":""}"#, ["#/url"]), (#"{"url":null}"#, ["#/url"]),
            (#"{"url":1}"#, ["#/url"]),
            (#"{"url":"https://a.example/","uri":"x"}"#, ["#/uri"]),
            (#"{"url":"https://a.example/","a/b~":1}"#, ["#/a~1b~0"]),
            (#"{"url":"https://user:secret@a.example/"}"#, ["#/url"]),
            (#"{"url":"https://a.example/\r\nHost: b"}"#, ["#/url"]),
            (#"{"url":"https://a.example/a b"}"#, ["#/url"]),
            (#"{"url":"https://"}"#, ["#/url"]), (#"{"url":"https:///x"}"#, ["#/url"]),
            (#"{"url":"https://a.example:0/"}"#, ["#/url"]),
            (#"{"url":"https://a.example:99999/"}"#, ["#/url"]),
            (#"{"url":"https://a.example/","session":"-"}"#, ["#/session"]),
            (
                #"{"url":"https://a.example/","earliest_begin_date":"tomorrow"}"#,
                ["#/earliest_begin_date"]
            ),
            (
                #"{"url":"https://a.example/","earliest_begin_date":"2026-11-22T01:00:00"}"#,
                ["#/earliest_begin_date"]
            ),
            (
                #"{"url":"https://a.example/","count_of_bytes_client_expects_to_receive":-1}"#,
                ["#/count_of_bytes_client_expects_to_receive"]
            ),
            (#"{"url":"https://a.example/","is_discretionary":"yes"}"#, ["#/is_discretionary"]),
            (#"{"url":"https://a.example/","priority":1.5}"#, ["#/priority"]),
            (#"{"url":"https://a.example/","metadata":{"a":1}}"#, ["#/metadata/a"]),
            (#"{"url":"https://a.example/","metadata":[]}"#, ["#/metadata"]),
            (#"{"url":"https://a.example/","metadata":{"a":"b\u0000"}}"#, ["#/metadata/a"]),
            (#"{"url":"https://a.example/","task_description":"\u0000"}"#, ["#/task_description"]),
            (#"{"url":"https://a.example/","expected_digest":"sha256:12"}"#, ["#/expected_digest"]),
            (#"{"url":"https://a.example/","webhook_events":["x"]}"#, ["#/webhook_events"]),
            (#"{"url":"https://a.example/","webhook_url":"https://a@b/"}"#, ["#/webhook_url"]),
            (#"{"url":"https://a.example/","suspended":0}"#, ["#/suspended"]),
            (
                #"{"url":"https://a.example/","timeout_interval_for_request":0}"#,
                ["#/timeout_interval_for_request"]
            ),
            (#"{"url":"nonsense","priority":2,"x":1}"#, ["#/url", "#/priority", "#/x"]),
        ])
    func refusesInvalidMembers(_ body: String, _ pointers: [String]) async throws {
        let reply = try await APIWorld.alone().send("POST", "/v1/downloads", body)
        reply.expectProblem("validation-failed", status: 422)
        #expect(reply.pointers == pointers)
    }

    @Test(arguments: [
        "ftp://a.example/x", "file:///etc/passwd", "a.example/x", "javascript:alert(1)",
    ])
    func refusesOtherSchemesThanHTTP(_ url: String) async throws {
        let reply = try await APIWorld.alone().send(
            "POST", "/v1/downloads", JSON.object(["url": .string(url)]).text)
        reply.expectProblem("unsupported-url-scheme", status: 422)
        #expect(reply.pointers == ["#/url"])
    }

    @Test(
        arguments: [
            "http://127.0.0.1/", "http://localhost/x", "http://a.localhost:8080/",
            "http://10.1.2.3/", "http://192.168.0.1/", "http://169.254.169.254/latest/meta-data",
            "http://[::1]/", "http://[fd00::1]/", "http://[::ffff:127.0.0.1]/", "http://0x7f.1/",
            "http://2130706433/", "http://localhost./", "http://a.example:25/",
            "http://8.8.8.8:5432/",
        ])
    func refusesDestinationsThatAreNotAllowed(_ url: String) async throws {
        let reply = try await APIWorld.alone().send(
            "POST", "/v1/downloads", JSON.object(["url": .string(url)]).text)
        reply.expectProblem("destination-not-allowed", status: 422)
        #expect(reply.pointers == ["#/url"])
        #expect(reply.json["setting"] == "LULL_DOWNLOAD_DESTINATIONS")
        #expect(reply.json["host"]?.stringValue?.isEmpty == false)
    }

    @Test func acceptsAllowedDestinations() async throws {
        let world = try APIWorld.alone(allowed: "public,loopback")
        for url in ["http://127.0.0.1:8081/a", "http://localhost:8081/a", "https://a.example/"] {
            await world.send("POST", "/v1/downloads", JSON.object(["url": .string(url)]).text)
                .expectProblem("database-unavailable", status: 503)
        }
    }

    @Test func webhookURLsHaveTheirOwnDestinations() async throws {
        let reply = try await APIWorld.alone().create("\"webhook_url\":\"http://10.0.0.1/\"")
        reply.expectProblem("destination-not-allowed", status: 422)
        #expect(reply.pointers == ["#/webhook_url"])
        #expect(reply.json["setting"] == "LULL_WEBHOOK_DESTINATIONS")
        #expect(reply.json["resolved_address"] == "10.0.0.1")
    }

    @Test func malformedJSONHasLineAndColumn() async throws {
        let world = try APIWorld.alone()
        let reply = await world.send("POST", "/v1/downloads", "{\n  \"url\": x\n}")
        reply.expectProblem("malformed-json", status: 400)
        #expect(reply.json["line"] == 2 && reply.json["column"] == 10)
        await world.send("POST", "/v1/downloads", "").expectProblem("malformed-json", status: 400)
        await world.send("POST", "/v1/downloads", #"{"url":"a","url":"b"}"#)
            .expectProblem("malformed-json", status: 400)
    }

    @Test func createNeedsContentTypeJSON() async throws {
        let world = try APIWorld.alone()
        let form = await world.send(
            "POST", "/v1/downloads", "{}",
            headers: [("Content-Type", "application/x-www-form-urlencoded")])
        form.expectProblem("unsupported-media-type", status: 415)
        #expect(form["Accept-Post"] == "application/json")
        #expect(form.json["detail"]?.stringValue?.contains("curl --json") == true)
        let plain = await world.send(
            "PUT", "/v1/policy", "{}", headers: [("Content-Type", "text/plain")])
        plain.expectProblem("unsupported-media-type", status: 415)
        #expect(plain["Accept"] == "application/json")
        await world.send("POST", "/v1/downloads").expectProblem(
            "unsupported-media-type", status: 415)
        await world.send(
            "POST", "/v1/downloads", "{}",
            headers: [("Content-Type", "Application/JSON; charset=utf-8")]
        ).expectProblem("validation-failed", status: 422)
    }
}
