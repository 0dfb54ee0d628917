// Base 16, and the text that is refused.
import Crypto
import Testing

@Suite struct HexTests {
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
