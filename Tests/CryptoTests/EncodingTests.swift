// Base 64 and base 16 against the vectors of RFC 4648, and what is refused.
import Crypto
import Testing

@Suite struct EncodingTests {
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

    @Test func hexRoundTrips() {
        let bytes = [UInt8](0...255)
        #expect(Hex.encode([0x66, 0x6f, 0x00, 0xff]) == "666f00ff")
        #expect(Hex.decode(Hex.encode(bytes)) == bytes)
        #expect(Hex.decode("FFab") == [0xff, 0xab])
    }

    @Test(arguments: ["0", "0g", "0x00", " 00", "ä"])
    func hexRefusesOtherText(text: String) {
        #expect(Hex.decode(text) == nil)
    }
}
