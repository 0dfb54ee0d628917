import Foundation
import LullClient
import Testing

/// A webhook counts only with a signature of its secret, and while it is fresh.
struct WebhookTests {
    // The example of Standard Webhooks 1.0.
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    let body = Data(#"{"test": 2432232314}"#.utf8)
    let now = Date(timeIntervalSince1970: 1_614_265_330)
    let headers = [
        "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
        "WEBHOOK-SIGNATURE": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    ]

    @Test func theExampleOfTheStandardIsGenuine() throws {
        let (id, _) = try Webhook.check(body: body, headers: headers, secret: secret, now: now)
        #expect(id == "msg_p5jXN8AQM9LWM0D4loKWxJek")
    }

    @Test func oneOfSeveralSignaturesIsEnough() throws {
        var several = headers
        several["WEBHOOK-SIGNATURE"] =
            "v1,AAAA v1a,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        _ = try Webhook.check(body: body, headers: several, secret: secret, now: now)
    }

    enum Fault: CaseIterable {
        case body, id, time, signature, secret, noSignature, noSecret, late, early, prefix
    }

    @Test(arguments: Fault.allCases)
    func anyOtherBitIsRefused(fault: Fault) {
        var (body, headers, secret, now) = (body, headers, secret, now)
        let expected: Webhook.Refusal
        switch fault {
        case .body: (body, expected) = (body + Data([32]), .wrongSignature)
        case .id: (headers["Webhook-Id"], expected) = ("msg_other", .wrongSignature)
        case .time: (headers["webhook-timestamp"], expected) = ("1614265331", .wrongSignature)
        case .signature:
            headers["WEBHOOK-SIGNATURE"] = "v1,g1hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
            expected = .wrongSignature
        case .prefix:
            headers["WEBHOOK-SIGNATURE"] = "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
            expected = .wrongSignature
        case .secret:
            (secret, expected) = ("whsec_AAAA9r8GKYqrTwjUPD8ILPZIo2LaLaSw", .wrongSignature)
        case .noSignature:
            headers["WEBHOOK-SIGNATURE"] = nil
            expected = .missingField("webhook-signature")
        case .noSecret: (secret, expected) = ("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", .malformedSecret)
        case .late: (now, expected) = (now + 301, .stale)
        case .early: (now, expected) = (now - 301, .stale)
        }
        #expect(throws: expected) {
            try Webhook.check(body: body, headers: headers, secret: secret, now: now)
        }
    }
}
