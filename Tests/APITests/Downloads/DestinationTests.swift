// Destinations: every name that is refused, with the place of the error.
import Testing

@testable import API

@Suite struct DestinationTests {
    private static let paths: [String] = [
        "", "/", "/a", "a//b", "a/", ".", "..", "../a", "a/../b", "a/.", "a\\u0000", "a\\n",
        "\\u007f", "a\\u0085b", ".lull", ".lull/x", String(repeating: "x", count: 256),
        String(repeating: "a/", count: 64) + "a", String(repeating: "é", count: 128),
    ]

    @Test(arguments: paths)
    func aPathThatMayLeaveTheFolderIsRefusedWithItsPlace(_ path: String) async throws {
        let world = try APIWorld.alone()
        let destination = #""destination":{"name":"media","path":"\#(path)"}"#
        let reply = await world.create(destination)
        #expect(reply.status == 422, "\(reply.text)")
        #expect(reply.pointers == ["#/destination/path"])
        let batch = await world.send(
            "POST", "/v1/downloads/batch",
            #"{"downloads":[{"url":"https://mirror.example/a",\#(destination)}]}"#)
        #expect(batch.status == 422)
        #expect(batch.pointers == ["#/downloads/0/destination/path"])
    }

    @Test(arguments: [
        (#"{}"#, "#/destination"), (#"{"name":1}"#, "#/destination/name"),
        (#"{"name":"none"}"#, "#/destination/name"), (#"[]"#, "#/destination"),
        (#"{"name":"media","on_conflict":"x"}"#, "#/destination/on_conflict"),
        (#"{"name":"media","other":1}"#, "#/destination/other"),
        (#"{"name":"media","path":1}"#, "#/destination/path"),
    ])
    func everyOtherFaultHasItsPlaceToo(_ destination: String, _ pointer: String) async throws {
        let world = try APIWorld.alone()
        let reply = await world.create(#""destination":\#(destination)"#)
        #expect(reply.status == 422, "\(reply.text)")
        #expect(reply.pointers == [pointer])
    }
}
