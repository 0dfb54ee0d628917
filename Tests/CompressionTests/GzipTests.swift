// What zlib makes is a gzip file that it reads again.
import Compression
import Seeds
import Support
import Testing

@Suite struct GzipTests {
    /// Lengths around the blocks and the window of deflate.
    private static let lengths = [
        0, 1, 2, 257, 258, 259, 1023, 1024, 1025, 32_767, 32_768, 32_769, 65_535, 65_536, 65_537,
        1 << 20, (1 << 20) + 1,
    ]

    @Test(arguments: lengths)
    func everyLengthComesBackWhole(_ length: Int) throws {
        var random = SplitMix64(seed: UInt64(length))
        let words = Array("{\"id\":\"dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C\",\"state\":\"waiting\"},".utf8)
        let contents: [(name: String, bytes: [UInt8])] = [
            ("zeros", [UInt8](repeating: 0, count: length)),
            ("words", (0..<length).map { words[$0 % words.count] }),
            ("noise", (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }),
        ]
        for (name, bytes) in contents {
            let packed = try #require(Gzip.compress(bytes))
            #expect(Gunzip.expand(packed) == bytes, "\(name)")
            #expect(Gzip.compress(bytes) == packed, "\(name): equal bytes, equal results")
            // Magic number, deflate, no flags, no time (RFC 1952 section 2.3).
            #expect(packed.prefix(8) == [0x1f, 0x8b, 8, 0, 0, 0, 0, 0], "\(name)")
            #expect(packed.count <= length + length / 1000 + 64, "\(name) grows little")
            if name != "noise", length > 1024 { #expect(packed.count < length / 5, "\(name)") }
        }
    }

    /// The file ends with the checksum and the length of its content, four bytes each.
    @Test func aFileWithAnotherEndIsNotRead() throws {
        let packed = try #require(Gzip.compress(Array("a file of some bytes".utf8)))
        for place in packed.indices.suffix(8) {
            var changed = packed
            changed[place] ^= 0x10
            #expect(Gunzip.expand(changed) == nil, "byte \(place)")
        }
        #expect(Gunzip.expand(packed.dropLast()) == nil)
        #expect(Gunzip.expand(packed + [0]) == nil)
    }
}
