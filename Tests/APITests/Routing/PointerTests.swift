// Pointers of findings, looked up in the bodies that were sent.
import Base
import HTTPWire
import Testing

@testable import API

@Suite struct PointerTests {
    /// A body that is accepted, and the request that carries it.
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let method: String
        let path: String
        let body: String
        /// The least number of its mutations that are refused.
        let refused: Int

        var testDescription: String { name }
    }

    static let samples: [Sample] = [
        Sample(
            name: "create", method: "POST", path: "/v1/downloads?dry_run=true",
            body: #"""
                {"url":"https://a.example/a","urls":["https://b.example/a","https://c.example/a"],
                 "session":"default","method":"GET","headers":{"X-A":"1","X-B":"2"},
                 "priority":0.5,"earliest_begin_date":"2099-01-01T00:00:00Z",
                 "is_discretionary":true,
                 "count_of_bytes_client_expects_to_receive":5,"require_verified_length":true,
                 "count_of_bytes_client_expects_to_send":5,"task_description":"t","max_bytes":9,
                 "metadata":{"a":"b","c/d":"e"},"on_source_change":"ask","suspended":false,
                 "expected_digest":"md5:d41d8cd98f00b204e9800998ecf8427e","segments":2,
                 "webhook_url":"https://hooks.example/a","content_retention":3600,
                 "webhook_events":["download.succeeded","download.failed"],
                 "timeout_interval_for_request":60,"timeout_interval_for_resource":600,
                 "authorization":{"type":"basic","username":"u","password":"p"},
                 "max_bytes_per_second":1000}
                """#, refused: 200),
        Sample(
            name: "create with a body", method: "POST", path: "/v1/downloads?dry_run=true",
            body: #"""
                {"url":"https://mirror.example/a","method":"POST","body_base64":"AAAA",
                 "authorization":{"type":"bearer","token":"t"}}
                """#, refused: 25),
        Sample(
            name: "batch", method: "POST", path: "/v1/downloads/batch?dry_run=true",
            body: #"""
                {"session":"default","defaults":{"priority":0.1,"metadata":{"a":"b"},
                  "webhook_url":"https://hooks.example/a","headers":{"X-A":"1"}},
                 "downloads":[{"url":"https://a.example/1"},
                  {"url":"https://a.example/2","priority":0.2,"headers":{"X-A":"2"}},
                  {"url":"https://a.example/3","session":"default","metadata":{"c":"d"}}]}
                """#, refused: 70),
        Sample(
            name: "batch with a session among the defaults", method: "POST",
            path: "/v1/downloads/batch?dry_run=true",
            body: #"""
                {"session":"default","defaults":{"session":"default","url":"https://a.example/1"},
                 "downloads":[{},{"task_description":"x"}]}
                """#, refused: 25),
        Sample(
            name: "bulk", method: "POST", path: "/v1/downloads/bulk?dry_run=true",
            body: #"""
                {"action":"cancel","filter":{"session":"default","state":["waiting","failed"],
                 "origin":"https://a.example","metadata":{"a":"b"},
                 "created_after":"2020-01-01T00:00:00Z","created_before":"2099-01-01T00:00:00Z"}}
                """#, refused: 60),
        Sample(
            name: "change", method: "PATCH", path: "/v1/downloads/{id}",
            body: #"""
                {"url":"https://b.example/a","priority":0.5,"metadata":{"a":"b"},"max_bytes":9,
                 "earliest_begin_date":"2099-01-01T00:00:00Z","is_discretionary":true,
                 "task_description":"t","require_verified_length":true,"on_source_change":"ask",
                 "headers":{"X-A":"1"},"max_bytes_per_second":1000,
                 "authorization":{"type":"basic","username":"u","password":"p"}}
                """#, refused: 90),
        Sample(
            name: "retry", method: "POST", path: "/v1/downloads/{failed}/retry",
            body: #"""
                {"headers":{"X-A":"1"},"authorization":{"type":"bearer","token":"t"}}
                """#, refused: 20),
        Sample(
            name: "session", method: "PUT", path: "/v1/sessions/a",
            body: #"""
                {"is_discretionary":true,"timeout_interval_for_request":60,"max_bytes":9,
                 "timeout_interval_for_resource":600,"require_verified_length":true,
                 "on_source_change":"ask","content_retention":3600,"max_bytes_per_second":1000,
                 "segments":2,"webhook_url":"https://hooks.example/a",
                 "webhook_events":["download.succeeded"],"http_additional_headers":{"X-A":"1"}}
                """#, refused: 90),
        Sample(
            name: "policy", method: "PUT", path: "/v1/policy",
            body: #"""
                {"time_zone":"Europe/Berlin",
                 "windows":{"n":["Mon-Fri 22:00-06:00"],"m-x":["Sat 10:00-12:00"]},
                 "rules":[{"name":"r","match":{"metadata":{"a/b":"c*"}},"require":["window n"]}],
                 "limits":{"running":2,"per_origin":1,"per_session":1},
                 "bandwidth":"1M"}
                """#, refused: 40),
    ]

    /// The values that replace each member; it is also removed, and given a sibling.
    private static let values: [JSON] = [
        .null, .bool(true), .integer(-1), .number(0.25), .string(""), .string("x\u{1}"), [], [:],
        [.null], ["a/b": .null], .string(String(repeating: "a", count: 9000)),
    ]

    @Test(arguments: samples) func everyPointerResolvesInItsBody(_ sample: Sample) async throws {
        try await APIWorld.with { world in
            let made = await world.create()
            let failed = try #require(await world.create().json["id"]?.stringValue)
            try await world.fail(failed)
            let path = sample.path
                .replacing("{id}", with: try #require(made.json["id"]?.stringValue))
                .replacing("{failed}", with: failed)
            let document = try JSON.parse(sample.body)
            var refused = 0
            for mutant in mutants(of: document) {
                let reply = await world.send(sample.method, path, mutant.document.text)
                #expect(reply.status < 500, "\(mutant.document.text)")
                for pointer in reply.pointers {
                    refused += 1
                    #expect(
                        leads(pointer, in: mutant.document),
                        "\(mutant.place): \(pointer) in \(mutant.document.text.prefix(1000))")
                }
                if sample.path.contains("failed"), reply.status == 200 {
                    try await world.fail(failed)
                }
            }
            let original = await world.send(sample.method, path, sample.body)
            #expect([200, 201].contains(original.status), "\(original.text)")
            #expect(refused >= sample.refused, "\(refused)")
        }
    }

    @Test func findingsOfASessionPointToItsMember() async throws {
        try await APIWorld.with { world in
            let none = #""url":"https://a.example/""#
            for (query, body, pointer) in [
                ("", #"{"session":"no","downloads":[{\#(none)}]}"#, "#/session"),
                ("", #"{"session":"-","downloads":[{\#(none)}]}"#, "#/session"),
                (
                    "", #"{"defaults":{"session":"no"},"downloads":[{\#(none)}]}"#,
                    "#/defaults/session"
                ),
                (
                    "",
                    #"{"session":"default","downloads":[{\#(none)},{\#(none),"session":"no"}]}"#,
                    "#/downloads/1/session"
                ),
                ("session=no", #"{"downloads":[{\#(none)}]}"#, "?session"),
                ("session=-", #"{"downloads":[{\#(none)}]}"#, "?session"),
                ("session=no", #"{"session":"no","downloads":[{\#(none)}]}"#, "#/session"),
            ] {
                let reply = await world.send("POST", "/v1/downloads/batch?" + query, body)
                #expect(reply.status == 422)
                #expect(reply.pointers == [pointer], "\(body) \(reply.text)")
            }
            let list = await world.send(
                "POST", "/v1/downloads/batch?session=no", "https://a.example/\n",
                headers: [("Content-Type", "text/uri-list")])
            #expect(list.pointers == ["?session"])
        }
    }

    // MARK: - Changing one member at a time

    private struct Mutant {
        let place: String
        let document: JSON
    }

    private func mutants(of document: JSON) -> [Mutant] {
        changes(of: document, at: "#").map { Mutant(place: $0.place, document: $0.value) }
    }

    private func changes(of value: JSON, at place: String) -> [(place: String, value: JSON)] {
        var list = PointerTests.values.map { (place, $0) }
        switch value {
        case .object(let object):
            for (key, member) in object.members {
                var without = object
                without[key] = nil
                list.append((place + "/" + key, .object(without)))
                for (inner, changed) in changes(of: member, at: place + "/" + key) {
                    var other = object
                    other[key] = changed
                    list.append((inner, .object(other)))
                }
            }
            var more = object
            more.append("no~such/member%20é", .integer(1))
            list.append((place, .object(more)))
        case .array(let items):
            for (index, item) in items.enumerated() {
                for (inner, changed) in changes(of: item, at: place + "/\(index)") {
                    var other = items
                    other[index] = changed
                    list.append((inner, .array(other)))
                }
            }
            list.append((place, .array(items + items)))
        default: break
        }
        return list
    }

    // MARK: - Looking up (RFC 6901)

    /// Whether a pointer names a value of the document, or a member that an object of it lacks.
    private func leads(_ pointer: String, in document: JSON) -> Bool {
        guard pointer.hasPrefix("#") else { return pointer.hasPrefix("?") }
        guard let text = PercentCoding.decode(Array(pointer.utf8.dropFirst()), keepsControls: true),
            text.isEmpty || text.hasPrefix("/")
        else { return false }
        var value = document
        let tokens = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (number, token) in tokens.enumerated() {
            let name = token.replacing("~1", with: "/").replacing("~0", with: "~")
            switch value {
            case .object(let object):
                guard let member = object[String(name)] else { return number == tokens.count - 1 }
                value = member
            case .array(let items):
                guard let index = Int(name), items.indices.contains(index) else { return false }
                value = items[index]
            default: return false
            }
        }
        return true
    }
}
