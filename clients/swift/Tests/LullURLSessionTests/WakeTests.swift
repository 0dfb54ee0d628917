import Foundation
import LullURLSession
import Support
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

    /// The program does not listen when its task ends; the service tells it, once.
    @Test(.enabled(if: World.binary != nil)) func aWakeOfTheServiceIsCompleted() async throws {
        try await withWorld { world in
            try world.makeFile("woken.bin", length: 3000)
            let lull = Lull(server: world.server)
            let port = WebhookPort()
            let secret = try await lull.createWebhookEndpoint(
                NewWebhookEndpoint(url: port.url, events: [.sessionWake])
            ).secret
            try await lull.putSession(identifier: "woken", SessionConfiguration())
            try await lull.createDownload(
                NewDownload(
                    url: world.origin + "/woken.bin", session: "woken", externalID: "one",
                    metadata: ["lull.urlsession": "1", "lull.task": "7", "lull.kind": "download"]))
            let request = try #require(await port.next(answering: "202 Accepted"))
            let wake = try URLSessionWake(
                body: request.body, headers: request.fields, secret: secret, server: world.server)
            #expect(wake.identifier == "woken")
            #expect(try await lull.getSession(identifier: "woken").wake.isOpen)
            let recorder = Recorder()
            let session = LullURLSession.URLSession(
                configuration: .background(withIdentifier: wake.identifier, server: world.server),
                delegate: recorder, delegateQueue: nil)
            _ = try await eventually { recorder.calls.contains("events") ? true : nil }
            #expect(recorder.calls == ["file", "complete", "events"])
            wake.completionHandler()
            _ = try await eventually {
                try await lull.getSession(identifier: "woken").wake.isOpen ? nil : true
            }
            session.finishTasksAndInvalidate()
        }
    }
}
