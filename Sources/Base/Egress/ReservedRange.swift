// The addresses that are not public Internet: IANA's special-purpose registries (2025-10-09), RFC
// 6890, and the credential endpoints of clouds.

/// A range with a special purpose.
package struct ReservedRange: Sendable {
    /// The reason why a range is not public.
    package enum Kind: String, Sendable {
        /// A cloud's metadata or credentials endpoint.
        case metadata
        /// Link-local (RFC 3927, RFC 4291).
        case linkLocal
        /// This machine.
        case loopback
        /// RFC 1918, unique local IPv6 (RFC 4193), carrier-grade NAT (RFC 6598).
        case privateNetwork
        /// An IPv6 form that carries an IPv4 address inside.
        case embedded
        /// Anything else that IANA keeps out of the public Internet.
        case reserved
    }

    /// The addresses.
    package let range: AddressRange
    /// The reason why the range is not public.
    package let kind: Kind

    /// The most specific reserved range around an address, or nil when it is a public one.
    ///
    /// IPv6 is public only inside 2000::/3; the rest of the space answers with `::/0`.
    package static func enclosing(_ address: IPAddress) -> ReservedRange? {
        let table = address.family == .v4 ? v4 : v6
        if let found = table.first(where: { $0.range.contains(address) }) { return found }
        guard address.family == .v6, address.bits >> 125 != 1 else { return nil }
        return elsewhere
    }

    /// The IPv4 table, exact addresses first.
    package static let v4 =
        of(
            .metadata, v4(169, 254, 169, 254, 32), v4(169, 254, 170, 2, 32),
            v4(169, 254, 170, 23, 32), v4(100, 100, 100, 200, 32), v4(192, 0, 0, 192, 32),
            v4(168, 63, 129, 16, 32))
        + of(.loopback, v4(127, 0, 0, 0, 8))
        + of(.linkLocal, v4(169, 254, 0, 0, 16))
        + of(
            .privateNetwork, v4(10, 0, 0, 0, 8), v4(172, 16, 0, 0, 12), v4(192, 168, 0, 0, 16),
            v4(100, 64, 0, 0, 10))
        + of(
            .reserved, v4(0, 0, 0, 0, 8), v4(192, 0, 0, 0, 24), v4(192, 0, 2, 0, 24),
            v4(192, 31, 196, 0, 24), v4(192, 52, 193, 0, 24), v4(192, 88, 99, 0, 24),
            v4(192, 175, 48, 0, 24), v4(198, 18, 0, 0, 15), v4(198, 51, 100, 0, 24),
            v4(203, 0, 113, 0, 24), v4(224, 0, 0, 0, 4), v4(240, 0, 0, 0, 4))

    /// The IPv6 table, exact addresses first.
    package static let v6 =
        of(.metadata, v6(0xfd00_0ec2, tail: 0x254, 128), v6(0xfd00_0ec2, tail: 0x23, 128))
        + of(.loopback, v6(0, tail: 1, 128))
        + of(.reserved, v6(0, 128))
        + of(.linkLocal, v6(0xfe80_0000, 10))
        + of(.privateNetwork, v6(0xfc00_0000, 7))
        + of(
            .embedded, v6(0, tail: 0xffff_0000_0000, 96), v6(0, tail: 0xffff_0000_0000_0000, 96),
            v6(0, 96), v6(0x0064_ff9b, 96), v6(0x0064_ff9b, second: 0x0001_0000, 48),
            v6(0x2002_0000, 16), v6(0x2001_0000, 32))
        + of(
            .reserved, v6(0x0100_0000, 64), v6(0x0100_0000, second: 1, 64), v6(0x2001_0000, 23),
            v6(0x2001_0db8, 32), v6(0x2620_004f, second: 0x8000_0000, 48), v6(0x3ffe_0000, 16),
            v6(0x3fff_0000, 20), v6(0x5f00_0000, 16), v6(0xfec0_0000, 10), v6(0xff00_0000, 8))

    private static let elsewhere = ReservedRange(
        range: AddressRange(IPAddress(v6: 0), prefix: 0), kind: .reserved)

    private static func of(_ kind: Kind, _ ranges: AddressRange...) -> [ReservedRange] {
        ranges.map { ReservedRange(range: $0, kind: kind) }
    }

    private static func v4(
        _ first: UInt32, _ second: UInt32, _ third: UInt32, _ fourth: UInt32, _ prefix: Int
    ) -> AddressRange {
        let bits = first << 24 | second << 16 | third << 8 | fourth
        return AddressRange(IPAddress(v4: bits), prefix: prefix)
    }

    /// Creates an entry from the first two groups, the next two, and the last 64 bits.
    private static func v6(
        _ first: UInt32, second: UInt32 = 0, tail: UInt64 = 0, _ prefix: Int
    ) -> AddressRange {
        let bits = UInt128(first) << 96 | UInt128(second) << 64 | UInt128(tail)
        return AddressRange(IPAddress(v6: bits), prefix: prefix)
    }
}
