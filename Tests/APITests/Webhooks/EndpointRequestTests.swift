// Headers and credentials of endpoints: shown by their names, kept for one origin.
import Base
import Postgres
import Testing

@testable import API

@Suite struct EndpointRequestTests {
    private static let path = "/v1/webhook_endpoints"
    private static let body = #"""
        {"url":"https://hooks.example/a","headers":{"X-Key":"k3y","X-Tenant":"7"},
         "authorization":{"type":"basic","username":"u","password":"p4ss"}}
        """#

    private func make(_ world: APIWorld) async throws -> String {
        let made = await world.send("POST", Self.path, Self.body)
        try #require(made.status == 201, "\(made.text)")
        #expect(!made.text.contains("k3y") && !made.text.contains("p4ss"))
        #expect(made.json["headers"] == ["X-Key": "redacted", "X-Tenant": "redacted"])
        #expect(made.json["authorization"] == ["type": "basic"])
        return try #require(made["Location"])
    }

    /// The stored, sealed values.
    private func sealed(_ world: APIWorld) async throws -> [[UInt8]?] {
        try await world.pool.query(
            "SELECT sealed FROM webhook_endpoints WHERE id IS NOT NULL ORDER BY endpoint_no"
        ).map { try $0.get(0, as: [UInt8]?.self) }
    }

    @Test func valuesAreSealedAndNamesAreShown() async throws {
        try await APIWorld.with { world in
            let place = try await make(world)
            let read = await world.send("GET", place)
            #expect(read.json["headers"] == ["X-Key": "redacted", "X-Tenant": "redacted"])
            let kept = try #require(try await sealed(world).first.flatMap { $0 })
            #expect(!String(decoding: kept, as: UTF8.self).contains("k3y"))
            let plain = await world.send("POST", Self.path, #"{"url":"https://hooks.example/b"}"#)
            #expect(plain.json["headers"] == [:] && plain.json["authorization"]?.isNull == true)
            #expect(try await sealed(world).last == .some(nil))
        }
    }

    @Test func aPatchMergesHeadersByName() async throws {
        try await APIWorld.with { world in
            let place = try await make(world)
            let changed = await world.send(
                "PATCH", place, #"{"headers":{"x-key":null,"X-More":"1"},"description":"d"}"#)
            #expect(changed.json["headers"] == ["X-Tenant": "redacted", "X-More": "redacted"])
            #expect(changed.json["authorization"] == ["type": "basic"])
            #expect(changed.json["dropped"] == [])
            // A URL with another path at the origin keeps the headers, and so does a patch of other
            // members.
            let moved = await world.send(
                "PATCH", place, #"{"url":"https://hooks.example:443/other","enabled":false}"#)
            #expect(moved.json["headers"] == changed.json["headers"])
            #expect(moved.json["dropped"] == [])
            let less = await world.send("PATCH", place, #"{"headers":null,"authorization":null}"#)
            #expect(less.json["headers"] == [:] && less.json["authorization"]?.isNull == true)
            #expect(try await sealed(world) == [nil])
        }
    }

    @Test func anotherOriginDropsThemAndSaysSo() async throws {
        for (patch, dropped, left) in [
            (#"{"url":"https://other.example/"}"#, ["headers", "authorization"], []),
            (#"{"url":"http://hooks.example:8080/a"}"#, ["headers", "authorization"], []),
            // http on 80 and https on 443 of one host are one origin.
            (#"{"url":"http://hooks.example/b"}"#, [], ["X-Key", "X-Tenant"]),
            (#"{"url":"https://hooks.example:8443/a"}"#, ["headers", "authorization"], []),
            (
                #"{"url":"https://other.example/","headers":{"X-Key":"n","X-Tenant":"n"}}"#,
                ["authorization"], ["X-Key", "X-Tenant"]
            ),
            (
                #"{"url":"https://other.example/","headers":{"X-Key":"n"},"authorization":null}"#,
                ["headers"], ["X-Key"]
            ),
        ] as [(String, [JSON], [String])] {
            try await APIWorld.with { world in
                let place = try await make(world)
                let changed = await world.send("PATCH", place, patch)
                #expect(changed.status == 200, "\(changed.text)")
                #expect(changed.json["dropped"]?.arrayValue == dropped, "\(patch)")
                let names = changed.json["headers"]?.objectValue?.members.map(\.key)
                #expect(names == left, "\(patch)")
                if left.isEmpty { #expect(try await sealed(world) == [nil]) }
            }
        }
    }

    private static let refused: [(String, String)] = [
        (#"{"headers":{"Webhook-Id":"x"}}"#, "#/headers"),
        (#"{"headers":{"content-type":"x"}}"#, "#/headers"),
        (#"{"headers":{"ce-type":"x"}}"#, "#/headers"),
        (#"{"headers":{"Host":"x"}}"#, "#/headers/Host"),
        (#"{"headers":{"X-Key":"redacted"}}"#, "#/headers/X-Key"),
        (#"{"headers":{"X-Key":"a\nb"}}"#, "#/headers/X-Key"),
        (
            #"{"authorization":{"type":"digest","username":"u","password":"p"}}"#,
            "#/authorization"
        ),
        (#"{"headers":[]}"#, "#/headers"),
        (#"{"authorization":{"type":"digest2"}}"#, "#/authorization/type"),
        (
            #"{"headers":{"Authorization":"x"},"authorization":{"type":"bearer","token":"t"}}"#,
            "#/authorization"
        ),
        (
            "{\"headers\":{"
                + (0..<17).map { "\"X-\($0)\":\"v\"" }.joined(separator: ",") + "}}",
            "#/headers"
        ),
    ]

    @Test(arguments: refused)
    func refusalsNameThePlace(_ members: String, _ pointer: String) async throws {
        try await APIWorld.with { world in
            let new = "{\"url\":\"https://hooks.example/\"," + members.dropFirst()
            let reply = await world.send("POST", Self.path, new)
            reply.expectProblem("validation-failed", status: 422)
            #expect(reply.pointers == [pointer], "\(reply.text)")
            let place = try await make(world)
            if !members.contains("17"), members.contains("headers") || members.contains("type") {
                let patched = await world.send("PATCH", place, members)
                patched.expectProblem("validation-failed", status: 422)
            }
            let standard = await world.send("PATCH", Self.path + "/default", members)
            #expect(standard.status == 422)
        }
    }
}
