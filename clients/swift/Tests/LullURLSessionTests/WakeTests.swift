import Foundation
import LullURLSession
import Testing

@testable import LullClient

/// A wake counts only if the service signed it.
struct WakeTests {
    static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private func headers(_ body: Data) throws -> [String: String] {
        let key = try #require(Data(base64Encoded: String(WakeTests.secret.dropFirst(6))))
        let time = String(Int(Date().timeIntervalSince1970))
        let code = SHA256.authenticationCode(
            Array("evt_1.\(time).".utf8) + Array(body), key: Array(key))
        return [
            "Webhook-Id": "evt_1", "Webhook-Timestamp": time,
            "Webhook-Signature": "v1," + Data(code).base64EncodedString(),
        ]
    }

    private func body(_ type: String) -> Data {
        Data(
            """
            {"type": "\(type)", "timestamp": "2026-11-21T10:00:00.000Z",
             "data": {"identifier": "nightly", "wake_token": "wk_5ZZQ8Q2M9V7T4K3H2G1F0E9D8C",
             "reasons": ["completed"], "cursor": "2J6C0X8V5T1QZ9M4K7H3R0E5DW", "delivery": 1,
             "app": "default"}}
            """.utf8)
    }

    @Test func aWakeNamesItsSession() throws {
        let body = body("session.wake")
        let wake = try URLSessionWake(
            body: body, headers: try headers(body), secret: WakeTests.secret)
        #expect(wake.identifier == "nightly")
    }

    @Test func otherRequestsAreRefused() throws {
        let other = body("session.drained")
        let signed = try headers(other)
        #expect(throws: URLSessionWake.Refusal.anotherEvent("session.drained")) {
            try URLSessionWake(body: other, headers: signed, secret: WakeTests.secret)
        }
        let wake = body("session.wake")
        #expect(throws: URLSessionWake.Refusal.notGenuine) {
            try URLSessionWake(body: wake, headers: signed, secret: WakeTests.secret)
        }
    }
}
