// The meaning of an answer for the delivery, whatever its body does.
import Base
import Downloads
import Testing
import Transfers

@testable import Webhooks

@Suite struct DeliveryOutcomeTests {
    private static let now = Timestamp(seconds: 1_795_309_200)

    private func outcome(
        _ status: Int?, retryAfter: String? = nil, location: String? = nil,
        _ end: TransferResult.Outcome = .completed(lengthVerified: true)
    ) throws -> DeliveryOutcome {
        let url = try SourceURL(parsing: "https://hooks.example/a")
        let fields = [("retry-after", retryAfter), ("location", location)].compactMap {
            name, value in value.map { ResponseHead.Field(name: name, value: $0) }
        }
        let head = status.map {
            ResponseHead(
                status: $0, fields: fields, framing: ResponseFraming(), url: url, chain: [url])
        }
        var result = TransferResult(outcome: end)
        result.head = head
        return DeliveryOutcome(result, now: Self.now)
    }

    @Test(arguments: [200, 201, 202, 204, 299])
    func successIsDelivered(_ status: Int) throws {
        #expect(try outcome(status) == .delivered(status: status))
    }

    @Test func status410EndsTheDelivery() throws {
        #expect(
            try outcome(410, retryAfter: "5")
                == .gone)
    }

    @Test(arguments: [300, 301, 302, 307, 308, 399])
    func redirectsAreNotFollowed(_ status: Int) throws {
        #expect(
            try outcome(status, retryAfter: "5")
                == .retry(
                    status: status, retryAfter: nil,
                    error: "the receiver answered \(status); redirects are not followed"))
    }

    @Test(arguments: [
        ("https://other.example/b?token=s3cret#x", " and points to https://other.example/b"),
        ("/login?next=%2F", " and points to https://hooks.example/login"),
        ("?a=b", " and points to https://hooks.example/a"), ("", ""),
        ("ftp://x/", " with a Location that cannot be used"),
        ("http://x:y@z/", " with a Location that cannot be used"),
        ("/" + String(repeating: "a", count: 400), " and points to https://hooks.example/"),
    ])
    func aRedirectSaysWhereItPointsWithoutItsQuery(_ location: String, _ said: String) throws {
        guard case .retry(302, nil, let error) = try outcome(302, location: location) else {
            Issue.record("a redirect is tried again")
            return
        }
        #expect(error.hasPrefix("the receiver answered 302\(said)"))
        #expect(error.hasSuffix("; redirects are not followed"))
        #expect(!error.contains("s3cret") && error.utf8.count < 400)
    }

    @Test(arguments: [400, 401, 403, 404, 409, 429, 500, 502, 503, 504, 999])
    func otherStatusesAreRetried(_ status: Int) throws {
        let error = "the receiver answered \(status)"
        #expect(try outcome(status) == .retry(status: status, retryAfter: nil, error: error))
        #expect(
            try outcome(status, retryAfter: "120")
                == .retry(status: status, retryAfter: .seconds(120), error: error))
        #expect(
            try outcome(status, retryAfter: "Sun, 22 Nov 2026 01:00:30 GMT")
                == .retry(status: status, retryAfter: .seconds(30), error: error))
        #expect(
            try outcome(status, retryAfter: "soon")
                == .retry(status: status, retryAfter: nil, error: error))
    }

    @Test(arguments: [
        FailureCode.networkConnectionLost, .timedOut, .dataLengthExceedsMaximum,
    ])
    func statusCountsDespiteABadBody(_ code: FailureCode) throws {
        let bad = TransferResult.Outcome.failed(TransferFailure(code))
        #expect(try outcome(200, bad) == .delivered(status: 200))
        #expect(
            try outcome(410, bad)
                == .gone)
        #expect(
            try outcome(429, retryAfter: "7", bad)
                == .retry(
                    status: 429, retryAfter: .seconds(7), error: "the receiver answered 429"))
    }

    @Test(arguments: FailureCode.allCases)
    func noAnswerIsRetried(_ code: FailureCode) throws {
        let failure = TransferFailure(code)
        #expect(
            try outcome(nil, .failed(failure))
                == .retry(
                    status: nil, retryAfter: nil, error: "\(code.rawValue): \(failure.description)")
        )
    }

    @Test func cancelledIsTriedAgain() throws {
        let again = DeliveryOutcome.retry(
            status: nil, retryAfter: nil, error: "the receiver did not answer")
        #expect(try outcome(nil, .cancelled) == again)
    }
}
