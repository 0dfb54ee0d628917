// The limits of a document, and the part of a batch that its defaults may take.
import Base
import Testing

@testable import API

@Suite struct LimitTests {
    private func parse(_ text: String) -> JSONError? {
        do throws(JSONError) {
            _ = try JSON.parse(text)
            return nil
        } catch {
            return error
        }
    }

    @Test func boundsValuesAndMembers() {
        func list(_ count: Int) -> String {
            "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]"
        }
        #expect(parse(list(199_999)) == nil)
        let values = parse(list(200_000))
        #expect(values?.isBeyondLimits == true && values?.offset == 2 * 200_000 - 1)
        func object(_ count: Int) -> String {
            "{" + (0..<count).map { "\"\($0)\":1" }.joined(separator: ",") + "}"
        }
        #expect(parse(object(1000)) == nil)
        let members = parse(object(1001))
        #expect(members?.isBeyondLimits == true)
        #expect(members?.offset == object(1000).utf8.count, "at the first that is too many")
        #expect(parse("[\(object(1000)),\(object(1000))]") == nil)
        #expect(parse("[1,]")?.isBeyondLimits == false)
    }

    @Test(arguments: [16, 1000, 1 << 20])
    func boundsMemory(_ length: Int) {
        let text = "\"" + String(repeating: "a", count: length) + "\""
        let count = (8 << 20) / (length + 64)
        func list(_ count: Int) -> String {
            "[" + Array(repeating: text, count: count).joined(separator: ",") + "]"
        }
        #expect(parse(list(count - 1)) == nil)
        #expect(parse(list(count + count / 4 + 1))?.isBeyondLimits == true)
    }

    @Test func refusalsNameTheLimit() async throws {
        let many = "{" + (0..<1001).map { "\"m\($0)\":1" }.joined(separator: ",") + "}"
        let reply = try await APIWorld.alone().send("POST", "/v1/downloads", many)
        reply.expectProblem("malformed-json", status: 400)
        let detail = reply.json["detail"]?.stringValue ?? ""
        #expect(detail.contains("more than 1000 members") && !detail.contains("is not JSON"))
    }

    @Test(arguments: [(1023, true), (1024, true), (1025, true), (4200, false)])
    func defaultsCountOnceForEachDownload(_ bytes: Int, _ isTaken: Bool) async throws {
        let text = String(repeating: "d", count: bytes)
        let items = Array(repeating: "{\"url\":\"https://a.example/\"}", count: 1000)
        let body =
            "{\"defaults\":{\"webhook_url\":\"https://a.example/\(text)\"},"
            + "\"downloads\":[\(items.joined(separator: ","))]}"
        let reply = try await APIWorld.alone().send("POST", "/v1/downloads/batch", body)
        // A request within the limits reaches the database, which does not answer.
        #expect(reply.status == (isTaken ? 503 : 422), "\(reply.text.prefix(300))")
        if !isTaken { #expect(reply.pointers == ["#/defaults"]) }
    }

    @Test func findingsPointToTheirValue() async throws {
        let world = try APIWorld.alone()
        func pointers(_ body: String, _ query: String = "") async -> [String] {
            await world.send("POST", "/v1/downloads/batch" + query, body).pointers
        }
        let items = #""downloads":[{"url":"https://a.example/"},{"url":"https://b.example/"}]"#
        for (defaults, pointer) in [
            (#"{"webhook_url":"http://127.0.0.1/"}"#, "#/defaults/webhook_url"),
            (#"{"proxy":{"url":"http://p.example:1"}}"#, "#/defaults/proxy/url"),
            (#"{"urls":["https://c.example/"]}"#, "#/defaults/urls"),
            (#"{"metadata":{"a":1}}"#, "#/defaults/metadata/a"),
            (#"{"headers":{"Host":"x"}}"#, "#/defaults/headers/Host"),
            (#"{"session":"-"}"#, "#/defaults/session"),
        ] {
            #expect(await pointers("{\"defaults\":\(defaults),\(items)}") == [pointer])
        }
        #expect(await pointers("{\"session\":\"-\",\(items)}") == ["#/session"])
        #expect(await pointers("{\(items)}", "?session=-") == ["?session"])
    }
}
