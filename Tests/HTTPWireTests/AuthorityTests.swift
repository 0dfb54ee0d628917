// Addresses in brackets, judged by the C library too.
import Glibc
import Seeds
import Testing

@testable import HTTPWire

@Suite struct AuthorityTests {
    /// The result of inet_pton(3) (RFC 4291 section 2.2).
    private func isAddress(_ text: String) -> Bool {
        var address = in6_addr()
        return unsafe inet_pton(AF_INET6, text, &address) == 1
    }

    private func isValid(_ authority: String) -> Bool {
        let bytes = Array(authority.utf8)
        return Authority.isValid(bytes.span)
    }

    /// Every text of up to eight characters of four: 87,381 texts.
    @Test func ipv6LiteralsEqualInetPtonForShortTexts() {
        var texts = [""]
        var wrong: [String] = []
        var valid = 0
        for _ in 0...8 {
            var longer: [String] = []
            for text in texts {
                let isAddress = isAddress(text)
                if isAddress { valid += 1 }
                if isValid("[\(text)]") != isAddress { wrong.append(text) }
                for next in [":", "1", "f", "."] { longer.append(text + next) }
            }
            texts = longer
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(10))")
        #expect(valid > 300)
    }

    /// Addresses written in random ways, and with a character added, removed or replaced.
    @Test func ipv6LiteralsEqualInetPtonForMutations() {
        var random = SplitMix64(seed: 9)
        var wrong: [String] = []
        var valid = 0
        for _ in 0..<60_000 {
            var text = Array(address(&random).utf8)
            for _ in 0..<Int.random(in: 0...2, using: &random) { mutate(&text, &random) }
            let string = String(decoding: text, as: UTF8.self)
            let isAddress = isAddress(string)
            if isAddress { valid += 1 }
            for (end, isPort) in [("", true), (":80", true), (":", true), (":65536", false)]
            where isValid("[\(string)]" + end) != (isAddress && isPort) {
                wrong.append(string + end)
            }
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(10))")
        #expect((10_000..<55_000).contains(valid), "\(valid) of both kinds")
    }

    private func address(_ random: inout SplitMix64) -> String {
        let count = Int.random(in: 1...9, using: &random)
        var groups = (0..<count).map { _ in
            String(Int.random(in: 0...0xffff, using: &random) >> (4 * (count % 4)), radix: 16)
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            let octets = (0..<4).map { _ in "\(Int.random(in: 0...260, using: &random))" }
            groups[count - 1] = octets.joined(separator: ".")
        }
        guard count < 8 || Int.random(in: 0..<8, using: &random) == 0 else {
            return groups.joined(separator: ":")
        }
        let gap = Int.random(in: 0...count, using: &random)
        return groups[..<gap].joined(separator: ":") + "::" + groups[gap...].joined(separator: ":")
    }

    private func mutate(_ text: inout [UInt8], _ random: inout SplitMix64) {
        let odd = Array(":.0123456789abcdefABCDEFg%/ vx-".utf8).filter { $0 != 0x20 }
        let place = Int.random(in: 0...text.count, using: &random)
        let byte = odd[Int.random(in: 0..<odd.count, using: &random)]
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text.insert(byte, at: place)
        case 1 where place < text.count: text.remove(at: place)
        case 2 where place < text.count: text[place] = byte
        default: break
        }
    }
}
