// Resume data: exported from one download, and used to create another one.
import Base
import Crypto
import Downloads
import Postgres
import Store
import Testing

@testable import API

@Suite struct ResumeDataTests {
    /// A waiting download with five of its nine bytes.
    private func halfDone(_ world: APIWorld, _ members: String = "") async throws -> String {
        let made = await world.create(members)
        let id = try #require(made.json["id"]?.stringValue)
        var facts = ResponseFacts(status: 200, url: "https://mirror.example/a.iso")
        facts.etag = "\"v1\""
        let point = ResumePoint(
            offset: 5, fence: 2, instance: "here", facts: facts, total: 9, restarts: 0,
            now: Timestamp(seconds: 1_795_309_200))
        _ = try await world.pool.query(
            "UPDATE queue SET resume = $2, bytes = 5 WHERE id = ($1::text)::uuid",
            [name(id), JSONText(JSON.object(point.json).text)])
        return id
    }

    private func name(_ id: String) -> String {
        Identifier(id, kind: .download)?.hexadecimal ?? ""
    }

    private func export(_ id: String, _ world: APIWorld) async throws -> String {
        let reply = await world.send("GET", "/v1/downloads/\(id)/resume_data")
        #expect(reply.status == 200, "\(reply.text)")
        #expect(reply.json["expires_at"]?.stringValue != nil)
        return try #require(reply.json["resume_data"]?.stringValue)
    }

    private func create(_ members: String, _ world: APIWorld) async -> Reply {
        await world.send("POST", "/v1/downloads", "{\(members)}")
    }

    private func point(_ id: String, _ world: APIWorld) async throws -> ResumePoint? {
        let identifier = try #require(Identifier(id, kind: .download))
        return try await world.dependencies.store.downloads.resumePoint(of: identifier)
    }

    @Test func aDownloadMadeFromItAsksForTheSameAndGoesOn() async throws {
        try await APIWorld.with { world in
            let digest = "md5:" + String(repeating: "0", count: 32)
            let id = try await halfDone(
                world,
                #"""
                "headers":{"X-Api-Key":"s3cret-1"},"expected_digest":"\#(digest)",
                "authorization":{"type":"bearer","token":"s3cret-2"},"filename":"b.iso"
                """#)
            let text = try await export(id, world)
            #expect(text.hasPrefix("rd_"))
            let made = await create(#""resume_data":"\#(text)","priority":0.75"#, world)
            #expect(made.status == 201, "\(made.text)")
            #expect(made.json["id"]?.stringValue != id)
            #expect(made.json["url"] == "https://mirror.example/a.iso")
            #expect(made.json["headers"] == ["X-Api-Key": "redacted"])
            #expect(made.json["authorization"] == ["type": "bearer"])
            #expect(made.json["expected_digest"]?.stringValue == digest)
            #expect(made.json["filename"] == "b.iso" && made.json["priority"] == 0.75)
            #expect(made.json["resume_data"] == nil && made.json["state"] == "waiting")
            let new = try #require(made.json["id"]?.stringValue)
            let kept = try #require(try await point(new, world))
            #expect(kept.source == Identifier(id, kind: .download))
            #expect(kept.offset == 5 && kept.fence == 2 && kept.etag == "\"v1\"")
            let row = try await world.pool.query(
                """
                SELECT lull_need(total_bytes, NULL, resume) FROM queue WHERE id = ($1::text)::uuid
                """, [name(new)])[0]
            #expect(try row.get(0, as: Int64.self) == 9, "the copy needs room for all bytes")
        }
    }

    @Test func membersOfTheCreateHoldBeforeThoseOfResumeData() async throws {
        try await APIWorld.with { world in
            let id = try await halfDone(world, #""headers":{"A":"1"},"filename":"b.iso""#)
            let text = try await export(id, world)
            let made = await create(
                #""resume_data":"\#(text)","headers":{"B":"2"},"filename":null"#, world)
            #expect(made.status == 201, "\(made.text)")
            #expect(made.json["headers"] == ["B": "redacted"])
            #expect(made.json["filename"] != "b.iso")
        }
    }

    @Test func itemsOfABatchAndNamedAndKeyedCreatesGoOnAsWell() async throws {
        try await APIWorld.with { world in
            let text = try await export(try await halfDone(world), world)
            let batch = await world.send(
                "POST", "/v1/downloads/batch",
                """
                {"downloads":[{"resume_data":"\(text)"},{"url":"https://a.example/"},
                {"resume_data":"\(text)","external_id":"x"}]}
                """)
            #expect(batch.status == 201, "\(batch.text)")
            let items = try #require(batch.json["data"]?.arrayValue)
            let ids = items.compactMap { $0["id"]?.stringValue }
            try #require(ids.count == 3, "\(batch.text)")
            let keyed = await world.send(
                "POST", "/v1/downloads", "{\"resume_data\":\"\(text)\"}",
                headers: [("Idempotency-Key", "k")])
            #expect(keyed.status == 201)
            let made = try #require(keyed.json["id"]?.stringValue)
            for (id, goesOn) in [(ids[0], true), (ids[1], false), (ids[2], true), (made, true)] {
                #expect(try await (point(id, world) != nil) == goesOn, "\(id)")
            }
        }
    }

    @Test func thereIsNoneWithoutBytesOrAfterTheEnd() async throws {
        try await APIWorld.with { world in
            let path = try #require(await world.create()["Location"])
            let none = await world.send("GET", path + "/resume_data")
            none.expectProblem("no-resume-data", status: 409)
            #expect(none.json["state"] == "waiting")
            for action in ["cancel", "succeed"] {
                let id = try await halfDone(world)
                if action == "cancel" {
                    _ = await world.send("POST", "/v1/downloads/\(id)/cancel")
                } else {
                    try await world.succeed(id, result: [:])
                }
                await world.send("GET", "/v1/downloads/\(id)/resume_data")
                    .expectProblem("no-resume-data", status: 409)
            }
            let post = try await halfDone(world, #""method":"POST""#)
            await world.send("GET", "/v1/downloads/\(post)/resume_data")
                .expectProblem("no-resume-data", status: 409)
        }
    }

    @Test func whatIsNotResumeDataOfThisAppAndKeyIsRefused() async throws {
        try await APIWorld.with { world in
            let text = try await export(try await halfDone(world), world)
            let other = APIWorld.box.seal(
                Array("{}".utf8), for: ResumeData.associatedData(ofApp: "another app"))
            var changed = Array(text.utf8)
            changed[changed.count / 2] = changed[changed.count / 2] == 65 ? 66 : 65
            let rows: [(String, String)] = [
                ("\"\"", "#/resume_data"), ("\"rd_\"", "#/resume_data"), ("7", "#/resume_data"),
                ("\"rd_AAAA\"", "#/resume_data"),
                ("\"\(String(decoding: changed, as: UTF8.self))\"", "#/resume_data"),
                ("\"\(ResumeData.text(of: other))\"", "#/resume_data"),
                ("\"rd_\(String(repeating: "A", count: 131_072))\"", "#/resume_data"),
                ("\"\(text)\",\"url\":\"https://a.example/\"", "#/url"),
            ]
            for (member, pointer) in rows {
                let reply = await create("\"resume_data\":\(member)", world)
                reply.expectProblem("validation-failed", status: 422)
                #expect(reply.pointers.contains(pointer), "\(member.prefix(40)): \(reply.text)")
            }
            let batch = await world.send(
                "POST", "/v1/downloads/batch",
                #"{"downloads":[{"url":"https://a.example/"},{"resume_data":"rd_AAAA"}]}"#)
            #expect(batch.pointers == ["#/downloads/1/resume_data"], "\(batch.text)")
        }
    }

    @Test func isOverAfterItsTime() async throws {
        try await APIWorld.with { world in
            let request = try DownloadRequest.parse(["url": "https://a.example/"]).get()
            let spec = DownloadSpec(
                request, session: SessionConfiguration(), sessionVersion: 1, defaults: .standard)
            let now = Timestamp(seconds: 1_795_309_200)
            let download = Download(
                id: APIWorld.instance, request: request, spec: spec, createdAt: now)
            var facts = ResponseFacts(status: 200, url: "https://a.example/")
            facts.etag = "\"v1\""
            let point = ResumePoint(
                offset: 5, fence: 2, instance: "here", facts: facts, total: 9, restarts: 0,
                now: now)
            let data = try #require(
                ResumeData(
                    download, point,
                    secrets: BoundSecrets(RequestSecrets(), for: "https://a.example/"),
                    expiresAt: now))
            let sealed = APIWorld.box.seal(
                data.plain, for: ResumeData.associatedData(ofApp: try await appName(world)))
            let reply = await create("\"resume_data\":\"\(ResumeData.text(of: sealed))\"", world)
            reply.expectProblem("validation-failed", status: 422)
            #expect(reply.text.contains(now.rfc3339), "\(reply.text)")
        }
    }

    private func appName(_ world: APIWorld) async throws -> String {
        _ = await world.create()
        let row = try await world.pool.query("SELECT name FROM apps")[0]
        return try row.get(0, as: String.self)
    }

    @Test func thatOfAnEphemeralDownloadStaysInEphemeralSessions() async throws {
        try await APIWorld.with { world in
            for name in ["e", "f"] {
                let made = await world.send("PUT", "/v1/sessions/\(name)", #"{"kind":"ephemeral"}"#)
                #expect(made.status == 201)
            }
            let text = try await export(try await halfDone(world, #""session":"e""#), world)
            for session in ["", #","session":"default""#] {
                let reply = await create(#""resume_data":"\#(text)"\#(session)"#, world)
                reply.expectProblem("validation-failed", status: 422)
                #expect(reply.pointers == ["#/resume_data"], "\(reply.text)")
            }
            let batch = await world.send(
                "POST", "/v1/downloads/batch",
                #"{"session":"default","downloads":[{"resume_data":"\#(text)"}]}"#)
            #expect(batch.pointers == ["#/downloads/0/resume_data"], "\(batch.text)")
            let other = await create(#""resume_data":"\#(text)","session":"f""#, world)
            #expect(other.status == 201, "\(other.text)")
        }
    }

    @Test func itHasNoSecretsForAnotherOrigin() async throws {
        try await APIWorld.with { world in
            let id = try await halfDone(world, #""headers":{"A":"1"}"#)
            // A change that bypasses the API gets no secrets into the export either.
            _ = try await world.pool.query(
                "UPDATE download_requests SET url = 'https://evil.example/f'")
            let text = try await export(id, world)
            let made = await create(#""resume_data":"\#(text)""#, world)
            #expect(made.json["url"] == "https://evil.example/f", "\(made.text)")
            #expect(made.json["headers"] == [:])
        }
    }
}
