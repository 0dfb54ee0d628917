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

    @Test func emptyInputHasADigest() {
        #expect(hex(.md5, []) == "d41d8cd98f00b204e9800998ecf8427e")
    }
}
