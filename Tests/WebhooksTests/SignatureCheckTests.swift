// The verdict on a saved webhook: genuine, or changed in one of the ways that happen.
import Base
import Downloads
import Testing
import Webhooks

@Suite struct SignatureCheckTests {
    private static let secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    private static let other = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let body = #"{"type":"download.succeeded","data":{"name":"a \" b: c"}}"#
    private static let seconds: Int64 = 1_767_225_600

    private static func fields(_ secret: String = secret, id: String = "evt_1") throws -> String {
        let signer = try #require(WebhookSigner(secret: secret))
        let message = WebhookMessage(
            id: id, type: .succeeded, subject: "", at: .epoch, body: Array(body.utf8))
        let signature = signer.signature(of: message, attemptedAt: seconds)
        return """
            POST /hooks HTTP/1.1\r
            Host: example.org:9000\r
            Webhook-Id: \(id)\r
            webhook-timestamp:\(seconds)\r
            WEBHOOK-SIGNATURE: \(signature)\t\r
            \r

            """
    }

    private static func check(
        _ fields: String, _ body: [UInt8], _ secrets: [String] = [secret], age: Int64 = 0
    ) throws -> SignatureCheck {
        SignatureCheck(
            try SavedDelivery(fields: fields, body: body), secrets: secrets, now: seconds + age)
    }

    @Test(arguments: [0, 300, 301, -4000] as [Int64])
    func aSignatureIsGenuineWhateverItsAge(_ age: Int64) throws {
        let check = try Self.check(try Self.fields(), Array(Self.body.utf8), age: age)
        #expect(check == .genuine(age: age))
    }

    @Test func oneOfTwoSecretsIsEnough() throws {
        let fields = try Self.fields(Self.other)
        for secrets in [[Self.secret, Self.other], [Self.other, Self.secret]] {
            #expect(
                try Self.check(fields, Array(Self.body.utf8), secrets) == .genuine(age: 0))
        }
        guard case .refused = try Self.check(fields, Array(Self.body.utf8)) else {
            Issue.record("the secret is another")
            return
        }
    }

    /// The saved body, and words of the reason.
    static let changes: [(body: [UInt8], words: String)] = [
        ([], "is empty"),
        (Array((body + "\n").utf8), "line end"),
        (Array((body + "\r\n").utf8), "line end"),
        ([0xef, 0xbb, 0xbf] + Array(body.utf8), "byte order mark"),
        (Array(body.replacing(",", with: ", ").replacing("\":", with: "\": ").utf8), "again"),
        (Array(body.replacing("succeeded", with: "failed").utf8), "secret is another one"),
        // Spaces inside a text are signed.
        (Array(body.replacing("b: c", with: "b:c").utf8), "secret is another one"),
        (Array(body.utf8.dropLast()), "secret is another one"),
    ]

    @Test(arguments: changes)
    func saysHowTheBodyWasChanged(_ given: (body: [UInt8], words: String)) throws {
        guard case .refused(let reason) = try Self.check(try Self.fields(), given.body) else {
            Issue.record("the body was changed")
            return
        }
        #expect(reason.contains(given.words), "\(reason)")
    }

    @Test func everyBitOfTheSignedBytesCounts() throws {
        let fields = try Self.fields()
        for place in Self.body.utf8.indices {
            let index = Self.body.utf8.distance(from: Self.body.utf8.startIndex, to: place)
            for bit in 0..<8 {
                var body = Array(Self.body.utf8)
                body[index] ^= 1 << bit
                guard case .refused = try Self.check(fields, body) else {
                    Issue.record("bit \(bit) of byte \(index)")
                    return
                }
            }
        }
    }

    @Test(arguments: [
        ("v1,", "no v1 signature"), ("v1a,AAAA", "no v1 signature"),
        ("v1,AAAA", "no v1 signature"), ("N0wgdNYn3UJt", "no v1 signature"),
        ("v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "secret is another one"),
    ])
    func saysWhatIsWrongWithTheSignature(_ signature: String, _ words: String) throws {
        let fields =
            "webhook-id: evt_1\nwebhook-timestamp: \(Self.seconds)\nwebhook-signature: \(signature)"
        guard case .refused(let reason) = try Self.check(fields, Array(Self.body.utf8)) else {
            Issue.record("nobody signed it")
            return
        }
        #expect(reason.contains(words), "\(reason)")
    }

    @Test(arguments: ["", "x", "-1", "1.5", "99999999999999999999"])
    func refusesTimestampsThatAreNoSeconds(_ text: String) throws {
        let fields = "webhook-id: evt_1\nwebhook-timestamp: \(text)\nwebhook-signature: v1,AAAA"
        do {
            let check = try Self.check(fields, [1])
            guard case .refused(let reason) = check else {
                Issue.record("\(text) is no time")
                return
            }
            #expect(reason.contains("not Unix seconds"), "\(reason)")
        } catch {
            #expect(text.isEmpty, "\(error)")
        }
    }

    @Test(arguments: [
        ("webhook-timestamp: 1\nwebhook-signature: v1,A", "webhook-id is missing"),
        ("webhook-id: a\nwebhook-signature: v1,A", "webhook-timestamp is missing"),
        ("webhook-id: a\nwebhook-timestamp: 1", "webhook-signature is missing"),
        ("webhook-id: a\nWebhook-Id: b\nwebhook-timestamp: 1", "is given twice"),
        ("", "webhook-id"),
    ])
    func saysWhichFieldIsMissing(_ fields: String, _ words: String) throws {
        let error = #expect(throws: SavedDelivery.Incomplete.self) {
            try SavedDelivery(fields: fields, body: [1])
        }
        #expect(error?.description.contains(words) == true, "\(error as Any)")
    }

    @Test(arguments: [[], ["secret"], [secret, "whsec_short"]])
    func refusesSecretsOfAnotherForm(_ secrets: [String]) throws {
        let check = try Self.check(try Self.fields(), Array(Self.body.utf8), secrets)
        guard case .refused(let reason) = check else {
            Issue.record("there is no such secret")
            return
        }
        #expect(reason.contains("a secret is whsec_"), "\(reason)")
    }
}
