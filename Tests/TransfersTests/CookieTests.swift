// Cookies over the hops of a transfer, and over the transfers of an attempt.
import Support
import Testing

@testable import Transfers

@Suite struct CookieTests {
    private func memory() -> AttemptMemory {
        AttemptMemory(hash: { _, _ in "" }, signer: { _, _ in [] })
    }

    @Test func aRedirectsCookieGoesToItsOriginAlone() async throws {
        try await withLab { request in
            request.target == "/home"
                ? OriginStep.answer(body: "there")
                : OriginStep.answer(
                    "302 Found", headers: ["Set-Cookie: other=2", "Location: /home"])
        } _: { _, second in
            let target = second.url("/x")
            try await withLab { request in
                switch request.target {
                case "/":
                    OriginStep.answer(
                        "302 Found",
                        headers: ["Set-Cookie: a=1", "Set-Cookie: b=2; Path=/", "Location: /2"])
                case "/2":
                    OriginStep.answer(
                        "302 Found", headers: ["Set-Cookie: a=3", "Location: /end"])
                case "/away": OriginStep.answer("302 Found", headers: ["Location: \(target)"])
                default: OriginStep.answer(body: "end")
                }
            } _: { engine, first in
                let memory = memory()
                let result = try await engine.fetch(first.url()) {
                    $0.memory = memory
                    $0.headers = [("cookie", "own=0; b=0")]
                }
                #expect(result.text == "end")
                let sent = first.requests.map { $0["cookie"] }
                #expect(sent == ["own=0; b=0", "own=0; a=1; b=2", "own=0; a=3; b=2"])
                #expect(
                    first.requests.allSatisfy {
                        $0.headers.filter { $0.name == "cookie" }.count <= 1
                    })
                // A further transfer of the attempt, and one of another attempt.
                _ = try await engine.fetch(first.url("/stream")) { $0.memory = memory }
                #expect(first.requests.last?["cookie"] == "a=3; b=2")
                let another = self.memory()
                _ = try await engine.fetch(first.url("/stream")) { $0.memory = another }
                #expect(first.requests.last?["cookie"] == nil)
                // A server on another port is another origin.
                _ = try await engine.fetch(first.url("/away")) {
                    $0.memory = memory
                    $0.headers = [("Cookie", "own=0")]
                }
                #expect(first.requests.last?["cookie"] == "own=0; a=3; b=2")
                #expect(second.requests.map { $0["cookie"] } == [nil, "other=2"])
            }
        }
    }
}
