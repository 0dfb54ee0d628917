// The client of the program's own health check.
import Glibc
import HTTPWire
import Testing

@testable import HTTPServer

@Suite struct LocalClientTests {
    @Test(arguments: ["127.0.0.1:0", "[::1]:0", "unix:/tmp/lull-local-\(getpid()).sock"])
    func localRequestsReachEveryKindOfAddress(address: String) async throws {
        let wanted = try #require(ListenAddress(address))
        let server = Server(addresses: [wanted]) { request in
            .now(
                Response(
                    status: request.path == "/readyz" ? 503 : 404, headers: [],
                    body: .bytes(Array("why".utf8))))
        }
        let bound = try await server.open()[0]
        let answer = try LocalClient.get("/readyz", at: bound, within: .seconds(20))
        #expect(answer.status == 503)
        #expect(answer.body == Array("why".utf8))
        await server.drain(grace: .seconds(20))
        let error = #expect(throws: ServerError.self) {
            try LocalClient.get("/readyz", at: bound, within: .seconds(20))
        }
        #expect(error?.code == "connect-failed")
        #expect(error?.description.contains("no service can be reached at \(bound)") == true)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody", 200, "body"), ("HTTP/1.1 503 \r\n\r\n", 503, ""),
        ("HTTP/1.0 200 OK\r\n\r\n", nil, ""), ("HTTP/1.1 200 OK\r\nA: b\r\n", nil, ""),
        ("HTTP/1.1 2x0 OK\r\n\r\n", nil, ""), ("SSH-2.0-OpenSSH\r\n", nil, ""), ("", nil, ""),
    ])
    func localRequestsRefuseOtherProtocols(text: String, status: Int?, body: String) {
        let answer = LocalClient.parse(Array(text.utf8))
        #expect(answer?.status == status)
        #expect((answer?.body ?? []) == Array(body.utf8))
    }
}
