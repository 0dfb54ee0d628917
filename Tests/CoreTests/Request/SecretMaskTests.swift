// Secrets that an origin repeats are masked in the stored answer.
import Foundation
import Seeds
import Testing

@testable import Downloads

@Suite struct SecretMaskTests {
    /// The encodings in which an origin repeats a sent value, by encoders that are not Lull's.
    private static let writers: [(name: String, write: @Sendable (String) throws -> String)] = [
        ("raw", { $0 }),
        (
            "upper case",
            { String(decoding: $0.utf8.map { 97...122 ~= $0 ? $0 - 32 : $0 }, as: UTF8.self) }
        ),
        ("form", { percent($0).replacing("%20", with: "+") }),
        ("json in json", { try json(json($0, []), []) }),
        ("references", { $0.unicodeScalars.map { "&#\($0.value);" }.joined() }),
        ("percent in html", { html($0.addingPercentEncoding(withAllowedCharacters: []) ?? "") }),
        ("percent", percent),
        ("json", { try json($0, []) }),
        ("json without slashes", { try json($0, .withoutEscapingSlashes) }),
        ("html", { html($0) }),
        ("hex", { Data($0.utf8).map { String(format: "%02x", $0) }.joined() }),
        ("base64", { Data($0.utf8).base64EncodedString() }),
        ("base64 behind a byte", { Data("x\($0)y".utf8).base64EncodedString() }),
        ("base64 behind two", { Data("xx\($0)yz".utf8).base64EncodedString() }),
        (
            "base64url",
            {
                Data("user:\($0)".utf8).base64EncodedString().replacing("+", with: "-")
                    .replacing("/", with: "_")
            }
        ),
    ]

    private static func json(
        _ text: String, _ options: JSONSerialization.WritingOptions
    ) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: [text], options: options)
        return String(decoding: data, as: UTF8.self)
    }

    private static func percent(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private static func html(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }

    private static func text(_ bytes: [UInt8]?) -> String {
        String(decoding: bytes ?? [], as: UTF8.self)
    }

    @Test func aSecretIsFoundHoweverTheOriginWritesIt() throws {
        var random = SeededRandom(seed: 20)
        let letters = Array("abcXYZ0189 /+=&<>'\"\\%-_.~é")
        for round in 0..<200 {
            let length = Int.random(in: 4...40, using: &random)
            // No blanks at the ends: a field cannot have them there.
            let secret =
                "k" + String((0..<length).map { _ in letters.randomElement(using: &random) ?? "a" })
                + "z"
            let mask =
                round.isMultiple(of: 2)
                ? SecretMask(headers: [HeaderField("X-Api-Key", secret)])
                : SecretMask(headers: [], body: Array(secret.utf8))
            for (name, write) in Self.writers {
                let echo = try write(secret)
                let answer = "you sent <" + echo + "> to us"
                let shown = Self.text(mask.masked(Array(answer.utf8), upTo: 1024))
                #expect(shown.hasPrefix("you sent <") && shown.hasSuffix("> to us"), "\(shown)")
                #expect(shown.contains("[redacted]"), "\(name) of \(secret): \(shown)")
                let kept = Set(Self.runs(of: Array(shown.utf8)))
                let whole = Self.runs(of: Array(echo.utf8)).filter(kept.contains)
                #expect(whole.isEmpty, "\(name): \(shown)")
            }
        }
    }

    private static func runs(of bytes: [UInt8]) -> [[UInt8]] {
        guard bytes.count >= SecretMask.piece else { return [] }
        return (0...(bytes.count - SecretMask.piece)).map {
            Array(bytes[$0..<($0 + SecretMask.piece)])
        }
    }

    @Test func aSecretIsFoundWhereverTheTextIsCut() {
        let secret = "abcdefghijklmnop"
        let mask = SecretMask(headers: [HeaderField("X-Api-Key", secret)])
        for start in 1000...1040 {
            let answer = Array(
                (String(repeating: "-", count: start) + secret).utf8.prefix(1024 + 7))
            let shown = Self.text(mask.masked(answer, upTo: 1024))
            #expect(!shown.contains("abc"), "\(start): \(shown.suffix(30))")
        }
    }

    @Test(arguments: [
        ("Authorization", "Bearer abc123", "token abc123 is old", "token [redacted] is old"),
        (
            "Authorization", "Basic dXNlcjpwYTU1", "no user named user",
            "no [redacted] named [redacted]"
        ),
        ("Authorization", "Basic dXNlcjpwYTU1", "wrong: pa55", "wrong: [redacted]"),
        ("Cookie", "sid=q7w8; theme=dark", "session q7w8 over", "session [redacted] over"),
        ("Accept", "application/json", "no application/json", "no application/json"),
        ("User-Agent", "fetcher/1.0", "banned: fetcher/1.0", "banned: fetcher/1.0"),
    ])
    func wordsOfAFieldAreSecretsToo(name: String, value: String, answer: String, shown: String) {
        let mask = SecretMask(headers: [HeaderField(name, value)])
        #expect(Self.text(mask.masked(Array(answer.utf8), upTo: 1024)) == shown)
    }

    @Test func ofSecretsThatCannotBeToldFromOtherTextNothingIsShown() {
        let answer = Array("not found".utf8)
        let long = [UInt8](repeating: 7, count: SecretMask.bytesAtMost + 1)
        #expect(SecretMask(headers: [HeaderField("X-Pin", "123")]).masked(answer, upTo: 9) == nil)
        #expect(SecretMask(headers: [], body: long).masked(answer, upTo: 9) == nil)
        #expect(SecretMask(headers: []).masked(answer, upTo: 3) == Array("not".utf8))
    }

    @Test func whatAProxyWantsToKnowIsASecret() {
        let mask = SecretMask(
            headers: [], proxy: ProxyCredentials(username: "alice", password: "wonder"))
        let answer = "407: alice, wonder, YWxpY2U6d29uZGVy"
        #expect(
            Self.text(mask.masked(Array(answer.utf8), upTo: 1024))
                == "407: [redacted], [redacted], [redacted]")
    }
}
