import Foundation
import Testing

@testable import LullClient

/// SHA-256 and its HMAC give the published values.
struct DigestTests {
    // FIPS 180-4, and its tests of long messages.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ])
    func digestsAreThoseOfTheStandard(text: String, digest: String) {
        #expect(SHA256.hexadecimal(SHA256.digest(of: Array(text.utf8))) == digest)
    }

    @Test func piecesDoNotChangeTheDigest() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let whole = SHA256.digest(of: bytes)
        for size in [1, 3, 55, 56, 63, 64, 65, 127, 128, 999] {
            var digest = SHA256()
            for start in stride(from: 0, to: bytes.count, by: size) {
                digest.update(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(digest.finish() == whole, "\(size)")
        }
    }

    // RFC 4231, test cases 1 to 7; the fifth shows 128 bits alone.
    static let vectors: [(key: [UInt8], message: [UInt8], code: String)] = [
        (
            [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            Array(1...25), [UInt8](repeating: 0xcd, count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            [UInt8](repeating: 0x0c, count: 20), Array("Test With Truncation".utf8),
            "a3b6167473100ee06e0c796c2955552b"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131),
            Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131),
            Array(
                ("This is a test using a larger than block-size key and a larger than "
                    + "block-size data. The key needs to be hashed before being used by the HMAC "
                    + "algorithm.").utf8),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ]

    @Test(arguments: vectors.indices)
    func authenticationCodesAreThoseOfRFC4231(index: Int) {
        let (key, message, code) = DigestTests.vectors[index]
        let found = SHA256.hexadecimal(SHA256.authenticationCode(message, key: key))
        #expect(found.hasPrefix(code))
    }
}
