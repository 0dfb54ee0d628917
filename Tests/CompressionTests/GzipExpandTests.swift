// A gzip file is expanded whole, or not at all.
import Compression
import Seeds
import Support
import Testing

@Suite struct GzipExpandTests {
    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
    func comesBackWholeUpToTheLimit(_ length: Int) throws {
        var random = SplitMix64(seed: UInt64(length))
        let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        for bytes in [noise, [UInt8](repeating: 7, count: length)] {
            let packed = try #require(Gzip.compress(bytes))
            #expect(Gzip.expand(packed, atMost: length) == .whole(bytes))
            if length > 0 { #expect(Gzip.expand(packed, atMost: length - 1) == .tooLong) }
        }
    }

    @Test func membersAreOneFileAndZerosBehindThemAreNone() throws {
        let first = try #require(Gzip.compress(Array("one".utf8)))
        let second = try #require(Gzip.compress(Array("two".utf8)))
        #expect(Gzip.expand(first + second, atMost: 6) == .whole(Array("onetwo".utf8)))
        #expect(Gzip.expand(first + second, atMost: 5) == .tooLong)
        #expect(Gzip.expand(first + [0, 0, 0], atMost: 6) == .whole(Array("one".utf8)))
        #expect(Gzip.expand(first + [0, 1], atMost: 6) == .invalid)
    }

    @Test func aFileThatIsCutOffOrChangedIsInvalid() throws {
        let packed = try #require(Gzip.compress(Array("a file of some bytes".utf8)))
        for length in packed.indices {
            #expect(Gzip.expand(Array(packed[..<length]), atMost: 1000) == .invalid)
        }
        for place in packed.indices.suffix(8) {
            var changed = packed
            changed[place] ^= 0x10
            #expect(Gzip.expand(changed, atMost: 1000) == .invalid, "byte \(place)")
        }
    }

    /// A thousand times as many bytes are not made to be thrown away.
    @Test func whatClaimsMuchEndsAtTheLimit() throws {
        let bomb = try #require(Gzip.compress([UInt8](repeating: 0, count: 64 << 20)))
        #expect(bomb.count < 100_000)
        #expect(Gzip.expand(bomb, atMost: 1 << 20) == .tooLong)
    }
}
