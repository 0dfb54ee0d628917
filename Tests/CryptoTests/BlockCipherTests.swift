// A block of AES-256 is encrypted by the standard, and decrypted.
import Crypto
import Testing

@Suite struct BlockCipherTests {
    private let key = (0..<32).map { UInt8($0) }

    @Test func theBlockOfTheStandardBecomesItsOutput() {
        // FIPS 197, appendix C.3.
        let cipher = BlockCipher(key: key)
        let sealed = cipher.seal(0x0011_2233_4455_6677, 0x8899_aabb_ccdd_eeff)
        #expect(sealed == (0x8ea2_b7ca_5167_45bf, 0xeafc_4990_4b49_6089))
        let opened = cipher.open(sealed.high, sealed.low)
        #expect(opened == (0x0011_2233_4455_6677, 0x8899_aabb_ccdd_eeff))
    }

    @Test func anotherKeyOpensToAnotherBlock() {
        let sealed = BlockCipher(key: key).seal(1, 2)
        #expect(BlockCipher(key: key.reversed()).open(sealed.high, sealed.low) != (1, 2))
    }
}
