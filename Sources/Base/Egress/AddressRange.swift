// A block of addresses, as operators and registries write it.

/// A range of addresses in CIDR notation (RFC 4632, RFC 4291).
package struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    /// The first address; its bits below the prefix are zero.
    package let base: IPAddress
    /// The number of leading bits that an address must share with the base; 0 to 32 or 128.
    package let prefix: Int

    /// Creates a range; bits of the base below the prefix are cleared.
    ///
    /// - Parameters:
    ///   - base: any address of the range.
    ///   - prefix: 0 to the address's width.
    package init(_ base: IPAddress, prefix: Int) {
        precondition((0...base.width).contains(prefix), "a prefix is not longer than its address")
        let bits = base.bits & ~Self.hostMask(width: base.width, prefix: prefix)
        self.base = base.family == .v4 ? IPAddress(v4: UInt32(bits)) : IPAddress(v6: bits)
        self.prefix = prefix
    }

    /// Reads `address/prefix`, or an address alone as a range of one.
    ///
    /// Bits below the prefix must be zero: `10.1.2.3/8` is more often a mistake than intended.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let base = IPAddress(parts[0]) else { return nil }
        var prefix = base.width
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(parts[1]), number <= base.width
            else { return nil }
            prefix = number
        }
        self.init(base, prefix: prefix)
        guard self.base == base else { return nil }
    }

    /// The range as `address/prefix`.
    package var description: String { "\(base)/\(prefix)" }

    /// The last address of the range.
    package var last: IPAddress {
        let bits = base.bits | Self.hostMask(width: base.width, prefix: prefix)
        return base.family == .v4 ? IPAddress(v4: UInt32(bits)) : IPAddress(v6: bits)
    }

    /// Whether the address is in the range; an IPv4 address is never in an IPv6 range.
    package func contains(_ address: IPAddress) -> Bool {
        address.family == base.family
            && (address.bits ^ base.bits) & ~Self.hostMask(width: base.width, prefix: prefix) == 0
    }

    /// Whether every address of the other range is in this one.
    package func contains(_ other: AddressRange) -> Bool {
        other.prefix >= prefix && contains(other.base)
    }

    private static func hostMask(width: Int, prefix: Int) -> UInt128 {
        let hostBits = width - prefix
        return hostBits == 128 ? UInt128.max : (UInt128(1) << hostBits) - 1
    }
}
