// HMAC-SHA-256 against the vectors of RFC 4231.
import Crypto
import Testing

@Suite struct HMACTests {
    struct Vector: Sendable {
        let key: [UInt8]
        let message: [UInt8]
        let code: String
    }

    static let vectors = [
        Vector(
            key: [UInt8](repeating: 0x0b, count: 20), message: Array("Hi There".utf8),
            code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        Vector(
            key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8),
            code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Vector(
            key: [UInt8](repeating: 0xaa, count: 20), message: [UInt8](repeating: 0xdd, count: 50),
            code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        Vector(
            key: Array(1...25), message: [UInt8](repeating: 0xcd, count: 50),
            code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        Vector(
            key: [UInt8](repeating: 0xaa, count: 131),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        Vector(
            key: [], message: [],
            code: "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ]

    @Test(arguments: vectors)
    func matchesThePublishedVectors(vector: Vector) {
        #expect(Hex.encode(HMAC.sha256(key: vector.key, message: vector.message)) == vector.code)
    }
}
