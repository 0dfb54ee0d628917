// The rules of content: from a session, a download, or a patch.
import Base
import Testing

@testable import API

@Suite struct ContentRulesTests {
    private static let type = [("Content-Type", "application/merge-patch+json")]

    @Test(arguments: ["require_verified_length", "require_expected_length"])
    func contentRulesComeFromSessionDownloadOrPatch(_ name: String) async throws {
        try await APIWorld.with { world in
            let session = await world.send("PUT", "/v1/sessions/strict", "{\"\(name)\":true}")
            #expect(session.status == 201 && session.json["configuration"]?[name] == true)
            #expect(
                await world.send("GET", "/v1/sessions/strict").json["configuration"]?[name] == true)
            let other = await world.send("PUT", "/v1/sessions/other", "{}")
            #expect(other.json["configuration"]?[name] == .null)
            let taken = await world.create("\"session\":\"strict\"")
            #expect(taken.json[name] == true)
            let own = await world.create("\"session\":\"strict\",\"\(name)\":false")
            #expect(own.json[name] == false)
            let plain = await world.create("\"session\":\"other\"")
            #expect(plain.json[name] == false)
            let path = try #require(plain["Location"])
            let patched = await world.send(
                "PATCH", path, "{\"\(name)\":true}", headers: Self.type)
            #expect(patched.json[name] == true)
            #expect(await world.send("GET", path).json[name] == true)
            let wrong = await world.send("PATCH", path, "{\"\(name)\":1}", headers: Self.type)
            #expect(wrong.pointers == ["#/\(name)"])
            let refused = await world.send("PUT", "/v1/sessions/s", "{\"\(name)\":\"yes\"}")
            #expect(refused.pointers == ["#/\(name)"])
        }
    }
}
