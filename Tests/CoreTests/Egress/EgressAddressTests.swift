// Addresses and ranges as text and as numbers.
import Base
import Testing

@Suite struct EgressAddressTests {
    @Test(arguments: [
        ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("1.2.3.4", "1.2.3.4"),
        ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("2001:DB8::1", "2001:db8::1"),
        ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
        ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        ("0:0:0:0:0:0:0:0", "::"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("::ffff:1.2.3.4", "::ffff:1.2.3.4"),
        ("::ffff:102:304", "::ffff:1.2.3.4"), ("64:ff9b::8.8.8.8", "64:ff9b::808:808"),
        ("1:0:0:4:0:0:0:8", "1:0:0:4::8"), ("fe80::0001", "fe80::1"),
    ]) func addressIsReadAndWritten(text: String, canonical: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == canonical)
        #expect(IPAddress(canonical) == address)
    }

    @Test(arguments: [
        "", "1", "1.2.3", "1.2.3.4.5", "256.0.0.1", "01.2.3.4", "1.2.3.4 ", "+1.2.3.4", "1..3.4",
        "0x7f.0.0.1", ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::",
        "::g", "[::1]", "fe80::1%lo", "::1.2.3", "1.2.3.4::", "::1.2.3.4:5", "1:", ":1",
        "1:2:3:4:5:6:7:8::", "::+1", "1:2:3:4:5:6:7:1.2.3.4",
    ]) func otherTextIsNoAddress(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: ["10.0.0.0/8", "192.168.1.0/24", "1.2.3.4/32", "2001:db8::/32", "::1/128"])
    func rangeContainsExactlyItsAddresses(text: String) throws {
        let range = try #require(AddressRange(text))
        #expect(range.description == text)
        #expect(range.contains(range.base) && range.contains(range.last))
        let isV4 = range.base.family == .v4
        let before = range.base.bits &- 1, after = range.last.bits &+ 1
        for bits in [before, after] {
            let address = isV4 ? IPAddress(v4: UInt32(bits)) : IPAddress(v6: bits)
            #expect(!range.contains(address))
        }
        let other = isV4 ? IPAddress(v6: range.base.bits) : IPAddress(v4: 0x0a00_0001)
        #expect(!range.contains(other))
    }

    @Test func prefixLengths0And32AreRanges() throws {
        let all = try #require(AddressRange("::/0"))
        #expect(all.contains(IPAddress(v6: .max)))
        #expect(all.last == IPAddress(v6: .max))
        let everyV4 = try #require(AddressRange("0.0.0.0/0"))
        #expect(everyV4.last.description == "255.255.255.255")
        #expect(everyV4.contains(try #require(AddressRange("10.0.0.0/8"))))
        #expect(try #require(AddressRange("1.2.3.4")).prefix == 32)
    }

    /// Compares the classifier with a table made another way: from the ranges' edges, over all /16
    /// blocks and every edge of a smaller range.
    @Test func classifierAgreesWithTheTable() {
        for entry in ReservedRange.v4 {
            for bits in [entry.range.base.bits, entry.range.last.bits] {
                let found = ReservedRange.enclosing(IPAddress(v4: UInt32(bits)))
                #expect(found != nil)
                #expect(
                    (found?.range.prefix ?? 0) >= entry.range.prefix || found?.kind == entry.kind)
            }
        }
        for block in 0..<UInt32(65_536) {
            for low in [UInt32(0), 0xffff] {
                let address = IPAddress(v4: block << 16 | low)
                let isReserved = ReservedRange.v4.contains { entry in
                    (entry.range.base.bits...entry.range.last.bits).contains(address.bits)
                }
                if isReserved != (ReservedRange.enclosing(address) != nil) {
                    Issue.record("\(address) is judged wrongly")
                }
            }
        }
        for entry in ReservedRange.v6 {
            for bits in [entry.range.base.bits, entry.range.last.bits] {
                #expect(ReservedRange.enclosing(IPAddress(v6: bits)) != nil)
            }
        }
    }
}
