// Base 64 against the vectors of RFC 4648, and the text that is refused.
import Base
import Testing

@Suite struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
    func base64MatchesThePublishedVectors(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(text.utf8))
    }

    @Test(arguments: [
        "Zg", "Zg=", "Z===", "====", "Zh==", "Zm9=", "Zm9v\n", " Zm9v", "Zm-v", "Zm_v", "Zg==Zg==",
        "Zm9vä===", "Zm=v",
    ])
    func base64RefusesNonCanonicalText(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test func base64RoundTrips() {
        let bytes = [UInt8](0...255)
        #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        #expect(Base64.encode([0xfb, 0xff, 0xbf]) == "+/+/")
    }
}
