// Answers of a service that has its port and no database yet.
import Base
import HTTPWire
import Testing

@testable import API

@Suite struct StartupAnswersTests {
    private let answers = StartupAnswers(seed: 1)
    private let now = Timestamp(seconds: 1_800_000_000)

    @Test(arguments: [
        ("GET", "/livez", 200), ("HEAD", "/livez", 200), ("POST", "/livez", 503),
        ("GET", "/readyz", 503), ("GET", "/metrics", 503), ("POST", "/v1/downloads", 503),
        ("GET", "/", 503), ("OPTIONS", "*", 503),
    ])
    func answersLivezAnd503BeforeItIsReady(method: String, path: String, status: Int) throws {
        let response = answers.answer(Request(method: method, path: path), at: now)
        #expect(response.status == status)
        let names = response.headers.map(\.0)
        #expect(names.contains("X-Request-Id") && names.contains("Cache-Control"))
        guard status == 503, case .bytes(let bytes) = response.body else { return }
        let problem = try JSON.parse(bytes)
        #expect(problem["code"]?.stringValue == "not-ready")
        #expect(problem["is_ready"] == false)
        #expect(problem["checks"]?[0]?["is_ok"] == false)
        #expect(names.contains("Retry-After"))
    }

    @Test func refusesInvalidRequestsWithTheirProblem() throws {
        let rejection = Rejection(status: 400, code: "malformed-request", detail: "no")
        let response = answers.refuse(
            rejection, of: RequestOutline(method: nil, path: nil, peer: ""), at: now)
        #expect(response.status == 400)
    }
}
