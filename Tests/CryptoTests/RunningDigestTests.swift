// Digests of the standards' own examples.
import Crypto
import Testing

@Suite struct RunningDigestTests {
    private func hex(_ algorithm: RunningDigest.Algorithm, _ pieces: [String]) -> String {
        let digest = RunningDigest(algorithm)
        for piece in pieces {
            unsafe Array(piece.utf8).withUnsafeBytes { unsafe digest.update($0) }
        }
        return Hex.encode(digest.finished())
    }

    @Test(arguments: [["abc"], ["a", "", "bc"]])
    func piecesHaveTheDigestOfTheWhole(_ pieces: [String]) {
        #expect(hex(.md5, pieces) == "900150983cd24fb0d6963f7d28e17f72")
        #expect(
            hex(.sha512, pieces)
                == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
    }

    private static let checks: [(RunningDigest.Algorithm, String)] = [
        (.crc32, "cbf43926"), (.crc32c, "e3069283"), (.crc64nvme, "ae8b14860a799888"),
        (.sha1, "f7c3bc1d808e04732adf679965ccc34ca7ae3441"),
    ]

    /// The check values of the catalogues, over "123456789".
    @Test(arguments: checks)
    func checksumsHaveTheirCheckValues(_ algorithm: RunningDigest.Algorithm, _ wanted: String) {
        let text = "123456789"
        for cut in 0...text.count {
            #expect(
                hex(algorithm, [String(text.prefix(cut)), String(text.dropFirst(cut))]) == wanted)
        }
        // Eight at a time and one at a time agree.
        let long = String(repeating: text, count: 100)
        #expect(hex(algorithm, long.map { String($0) }) == hex(algorithm, [long]))
    }

    @Test func emptyInputHasADigest() {
        #expect(hex(.crc32c, []) == "00000000" && hex(.crc64nvme, []) == "0000000000000000")
        #expect(hex(.md5, []) == "d41d8cd98f00b204e9800998ecf8427e")
    }
}
