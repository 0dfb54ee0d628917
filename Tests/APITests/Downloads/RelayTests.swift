// Receivers of finished files: the members that a client may give, what is shown of them, and how
// their headers and credentials are kept.
import Base
import Crypto
import Downloads
import Store
import Testing

@testable import API

@Suite struct RelayTests {
    private static let url = "https://store.example/in/a.iso?sig=s1gned#x"
    private static let whole = #"""
        "destination":{"url":"https://store.example/in/a.iso?sig=s1gned#x","method":"POST",
        "headers":{"X-Key":"k3y","Content-Type":"text/plain","Content-Disposition":"inline"},
        "authorization":{"type":"bearer","token":"t0ken"},"keep_content":false,
        "hook":{"url":"https://sign.example/ask","timeout_seconds":5,"on_no_answer":"wait",
        "headers":{"X-Sign":"s1gn"},
        "authorization":{"type":"basic","username":"u","password":"p4ss"}}}
        """#

    private static func find(_ world: APIWorld, _ id: String) async throws -> Download {
        let name = try #require(Identifier(id, kind: .download))
        return try #require(
            try await world.dependencies.store.downloads.find(name, app: 1)?.download)
    }

    /// The secrets of a download, as they are stored.
    private static func secrets(_ world: APIWorld, _ id: String) async throws -> BoundSecrets? {
        let name = try #require(Identifier(id, kind: .download))
        let sealed = try await world.dependencies.store.downloads.secrets(of: name)
        return sealed.flatMap {
            APIWorld.box.open($0, for: RequestSecrets.associatedData(of: name, app: 1))
        }.flatMap { BoundSecrets(plain: $0, of: "https://mirror.example/") }
    }

    private static func sent(_ secrets: BoundSecrets?, to url: String) throws -> [String] {
        let url = try SourceURL(parsing: url)
        return secrets?.outgoing.sent(to: url).headers.map { "\($0.name): \($0.value)" } ?? []
    }

    @Test func aReceiverIsStoredAndNothingSecretOfItIsShown() async throws {
        try await APIWorld.with { world in
            let made = await world.create(Self.whole)
            #expect(made.status == 201, "\(made.text)")
            let id = try #require(made.json["id"]?.stringValue)
            let read = await world.send("GET", "/v1/downloads/" + id)
            for text in [made.text, read.text] {
                for value in ["s1gned", "k3y", "t0ken", "s1gn\"", "p4ss"] {
                    #expect(!text.contains(value), "\(value) in \(text)")
                }
            }
            let shown: JSON = [
                "url": "https://store.example/in/a.iso", "protocol": "http", "method": "POST",
                "keep_content": false,
                "headers": [
                    "X-Key": "redacted", "Content-Type": "redacted",
                    "Content-Disposition": "redacted",
                ],
                "authorization": ["type": "bearer"],
                "hook": [
                    "url": "https://sign.example/ask", "timeout_seconds": 5,
                    "on_no_answer": "wait", "headers": ["X-Sign": "redacted"],
                    "authorization": ["type": "basic"],
                ],
            ]
            #expect(made.json["destination"] == shown && read.json["destination"] == shown)
            #expect(read.json["direction"] == "receive")
            #expect(read.json["count_of_bytes_sent"] == 0 && read.json["sent"]?.isNull == true)
            let relay = try #require(try await Self.find(world, id).spec.relay)
            #expect(relay.url == Self.url && relay.method == .post && !relay.keepsContent)
            #expect(relay.hook?.timeout == 5 && relay.hook?.onNoAnswer == .wait)
            let secrets = try await Self.secrets(world, id)
            #expect(
                try Self.sent(secrets?.relay, to: Self.url) == [
                    "X-Key: k3y", "Content-Type: text/plain", "Content-Disposition: inline",
                    "Authorization: Bearer t0ken",
                ])
            #expect(
                try Self.sent(secrets?.relay?.hook, to: "https://sign.example/") == [
                    "X-Sign: s1gn", "Authorization: Basic dTpwNHNz",
                ])
            // They are bound to their origins, and are not sent to the download's own.
            #expect(try Self.sent(secrets?.relay, to: "https://mirror.example/").isEmpty)
            #expect(try Self.sent(secrets, to: "https://mirror.example/").isEmpty)
        }
    }

    @Test func theUsualReceiverIsAPutAndKeepsTheFile() async throws {
        try await APIWorld.with { world in
            let made = await world.create(#""destination":{"url":"http://store.example/a"}"#)
            #expect(made.status == 201, "\(made.text)")
            #expect(
                made.json["destination"] == [
                    "url": "http://store.example/a", "protocol": "http", "method": "PUT",
                    "keep_content": true, "headers": [:], "authorization": nil, "hook": nil,
                ])
            let plain = await world.create()
            #expect(plain.json["destination"]?.isNull == true)
            #expect(plain.json["direction"]?.isNull == true)
        }
    }

    @Test func aReceiverThatSpeaksTusHasNoMethod() async throws {
        try await APIWorld.with { world in
            let made = await world.create(
                #""destination":{"url":"http://store.example/files","protocol":"tus"}"#)
            #expect(made.status == 201, "\(made.text)")
            #expect(
                made.json["destination"] == [
                    "url": "http://store.example/files", "protocol": "tus", "method": nil,
                    "keep_content": true, "headers": [:], "authorization": nil, "hook": nil,
                ])
            let id = try #require(made.json["id"]?.stringValue)
            #expect(try await Self.find(world, id).spec.relay?.speaks == .tus)
            let http = await world.send(
                "PATCH", "/v1/downloads/" + id, #"{"destination":{"protocol":null}}"#)
            #expect(http.json["destination"]?["protocol"] == "http", "\(http.text)")
            let posted = await world.send(
                "PATCH", "/v1/downloads/" + id, #"{"destination":{"method":"POST"}}"#)
            #expect(posted.status == 200, "\(posted.text)")
            let both = await world.send(
                "PATCH", "/v1/downloads/" + id, #"{"destination":{"protocol":"tus"}}"#)
            #expect(both.status == 422 && both.text.contains("method"), "\(both.text)")
        }
    }

    private static let refused: [(String, String)] = [
        (#"{"url":"https://s.example/","protocol":"ftp"}"#, "/protocol"),
        (#"{"url":"https://s.example/","protocol":true}"#, "/protocol"),
        (#"{"url":"https://s.example/","protocol":"tus","method":"POST"}"#, "/method"),
        (#"{"url":"https://s.example/","protocol":"tus","method":"PUT"}"#, "/method"),
        (
            #"{"url":"https://s.example/","protocol":"tus","headers":{"Content-Type":"a/b"}}"#,
            "/headers"
        ),
        (
            #"{"url":"https://s.example/","protocol":"tus","headers":{"Upload-Offset":"5"}}"#,
            "/headers"
        ),
        (#"{}"#, ""), (#"[]"#, ""), (#"{"url":null}"#, ""),
        (#"{"name":"media","url":"https://s.example/"}"#, ""),
        (#"{"url":1}"#, "/url"), (#"{"url":"ftp://s.example/"}"#, "/url"),
        (#"{"url":"https://"}"#, "/url"),
        (#"{"url":"https://s.example/","method":"GET"}"#, "/method"),
        (#"{"url":"https://s.example/","method":"PATCH"}"#, "/method"),
        (#"{"url":"https://s.example/","keep_content":1}"#, "/keep_content"),
        (#"{"url":"https://s.example/","path":"a"}"#, "/path"),
        (#"{"url":"https://s.example/","on_conflict":"fail"}"#, "/on_conflict"),
        (#"{"url":"https://s.example/","headers":[]}"#, "/headers"),
        (#"{"url":"https://s.example/","headers":{"a b":"c"}}"#, "/headers/a%20b"),
        (#"{"url":"https://s.example/","headers":{"X":"redacted"}}"#, "/headers/X"),
        (#"{"url":"https://s.example/","authorization":{"type":"x"}}"#, "/authorization/type"),
        (
            #"{"url":"https://s.example/","authorization":"#
                + #"{"type":"digest","username":"u","password":"p"}}"#, "/authorization"
        ),
        (#"{"url":"https://s.example/","hook":{}}"#, "/hook/url"),
        (#"{"url":"https://s.example/","hook":{"url":"x:/"}}"#, "/hook/url"),
        (
            #"{"url":"https://s.example/","hook":"#
                + #"{"url":"https://h.example/","timeout_seconds":0}}"#,
            "/hook/timeout_seconds"
        ),
        (
            #"{"url":"https://s.example/","hook":"#
                + #"{"url":"https://h.example/","headers":{"Webhook-Id":"1"}}}"#, "/hook/headers"
        ),
    ]

    @Test(arguments: refused)
    func everyFaultHasItsPlace(_ destination: String, _ pointer: String) async throws {
        let world = try APIWorld.alone()
        let reply = await world.create(#""destination":\#(destination)"#)
        #expect((400..<500).contains(reply.status), "\(reply.text)")
        #expect(reply.pointers == ["#/destination" + pointer], "\(reply.text)")
        let batch = await world.send(
            "POST", "/v1/downloads/batch",
            #"{"defaults":{"destination":\#(destination)},"#
                + #""downloads":[{"url":"https://mirror.example/a"}]}"#)
        #expect(batch.pointers == ["#/defaults/destination" + pointer], "\(batch.text)")
    }

    /// The fields that this service sets, with the pointer of the refusal.
    @Test(arguments: [
        "Content-Length", "Transfer-Encoding", "Expect", "TE", "Trailer", "Upgrade", "Connection",
        "Host", "Content-Range", "Content-Encoding", "Repr-Digest", "Content-Digest", "Digest",
    ])
    func fieldsAboutTheBytesAreThoseOfTheService(_ name: String) async throws {
        let world = try APIWorld.alone()
        let reply = await world.create(
            #""destination":{"url":"https://s.example/","headers":{"\#(name)":"1"}}"#)
        #expect(reply.status == 422, "\(reply.text)")
        let pointers = reply.pointers
        #expect(
            pointers == ["#/destination/headers"]
                || pointers == ["#/destination/headers/\(name)"], "\(reply.text)")
    }

    @Test(arguments: [(32, true), (33, false)])
    func aReceiverHasAtMost32Fields(_ count: Int, _ isTaken: Bool) async throws {
        try await APIWorld.with { world in
            let fields = (0..<count).map { "\"X-\($0)\":\"1\"" }.joined(separator: ",")
            let reply = await world.create(
                #""destination":{"url":"https://s.example/","headers":{\#(fields)}}"#)
            #expect(reply.status == (isTaken ? 201 : 422), "\(reply.text)")
            if !isTaken { #expect(reply.pointers == ["#/destination/headers"]) }
        }
    }

    @Test func aDownloadThatJoinsOthersHasNoReceiver() async throws {
        try await APIWorld.with { world in
            let join = #""on_duplicate_url":"join""#
            let reply = await world.create(join + #","destination":{"url":"https://s.example/"}"#)
            #expect(reply.status == 422 && reply.pointers == ["#/on_duplicate_url"])
            let made = await world.create(join)
            let id = try #require(made.json["id"]?.stringValue)
            let patch = await world.send(
                "PATCH", "/v1/downloads/" + id, #"{"destination":{"url":"https://s.example/"}}"#)
            #expect(patch.status == 422 && patch.pointers == ["#/on_duplicate_url"])
        }
    }

    @Test func addressesOfReceiversAndTheirHooksAreJudged() async throws {
        try await APIWorld.with { world in
            var world = world
            var dependencies = world.dependencies
            dependencies.settings.destinations = try Destinations.parse("public,private")
            dependencies.settings.webhookDestinations = try Destinations.parse("public,10.0.0.8/32")
            dependencies.settings.uploadDestinations = try Destinations.parse("public,10.0.0.9/32")
            let router = Router(dependencies)
            world.handler = { router.answer($0) }
            for (destination, pointer, setting) in [
                (#"{"url":"https://10.0.0.8/"}"#, "url", "LULL_UPLOAD_DESTINATIONS"),
                (
                    #"{"url":"https://10.0.0.9/","hook":{"url":"https://10.0.0.9/"}}"#, "hook/url",
                    "LULL_WEBHOOK_DESTINATIONS"
                ),
            ] {
                let made = await world.create()
                let id = try #require(made.json["id"]?.stringValue)
                for reply in [
                    await world.create(#""destination":\#(destination)"#),
                    await world.send(
                        "PATCH", "/v1/downloads/" + id, #"{"destination":\#(destination)}"#),
                    await world.send(
                        "PUT", "/v1/sessions/nightly", #"{"destination":\#(destination)}"#),
                ] {
                    reply.expectProblem("destination-not-allowed", status: 422)
                    #expect(reply.pointers == ["#/destination/" + pointer], "\(reply.text)")
                    #expect(reply.json["setting"]?.stringValue == setting)
                }
            }
            let taken = await world.create(
                #""destination":{"url":"https://10.0.0.9/","hook":{"url":"https://10.0.0.8/"}}"#)
            #expect(taken.status == 201, "\(taken.text)")
        }
    }

    /// The receiver of a download that has ended is judged again before a retry.
    @Test func aRetryIsJudgedByTheReceiverToo() async throws {
        try await APIWorld.with { world in
            let made = await world.create(#""destination":{"url":"https://203.0.114.1/"}"#)
            let id = try #require(made.json["id"]?.stringValue)
            _ = await world.send("POST", "/v1/downloads/\(id)/cancel")
            var narrow = world
            var dependencies = world.dependencies
            dependencies.settings.uploadDestinations = try Destinations.parse("10.0.0.0/8")
            let router = Router(dependencies)
            narrow.handler = { router.answer($0) }
            let refused = await narrow.send("POST", "/v1/downloads/\(id)/retry")
            refused.expectProblem("destination-not-allowed", status: 422)
            let bulk = await narrow.send(
                "POST", "/v1/downloads/bulk",
                #"{"action":"retry","filter":{"session":"default"}}"#)
            #expect(bulk.json == ["matched": 1, "changed": 0])
            await #expect(world.send("POST", "/v1/downloads/\(id)/retry").status == 200)
        }
    }
}
