// SHA-256 against the vectors of FIPS 180-4.
import Crypto
import Testing

@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func matchesThePublishedVectors(text: String, digest: String) {
        #expect(Hex.encode(SHA256.digest(of: text)) == digest)
    }

    @Test func hashesAMillionBytesInPieces() {
        var hash = SHA256()
        for size in [1, 63, 64, 65, 999_807] {
            hash.update([UInt8](repeating: UInt8(ascii: "a"), count: size))
        }
        let digest = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        #expect(Hex.encode(hash.finalize()) == digest)
    }

    @Test func restartsAfterFinalize() {
        var hash = SHA256()
        hash.update([1, 2, 3])
        _ = hash.finalize()
        unsafe Array("abc".utf8).withUnsafeBytes { unsafe hash.update($0) }
        #expect(hash.finalize() == SHA256.digest(of: "abc"))
        #expect(hash.finalize() == SHA256.digest(of: [UInt8]()))
    }
}
