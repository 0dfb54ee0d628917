// IPv6 forms that lead to an IPv4 address: both the form and the address inside must be allowed.

extension IPAddress {
    /// The IPv4 address inside an IPv6 one, or nil.
    ///
    /// Mapped and compatible (RFC 4291), translated (RFC 2765), NAT64 (RFC 6052, RFC 8215),
    /// 6to4 (RFC 3056), Teredo (RFC 4380) and ISATAP identifiers (RFC 5214).
    package var embeddedV4: IPAddress? {
        guard family == .v6 else { return nil }
        let top = UInt32(truncatingIfNeeded: bits >> 96)
        if bits >> 48 == 0 {
            let marker = UInt16(truncatingIfNeeded: bits >> 32)
            let isCompatible = marker == 0 && bits > 1
            return marker == 0xffff || isCompatible ? IPAddress(v4: low32) : nil
        }
        if bits >> 32 == 0xffff_0000 { return IPAddress(v4: low32) }
        if bits >> 32 == UInt128(0x0064_ff9b) << 64 { return IPAddress(v4: low32) }
        if bits >> 80 == 0x0064_ff9b_0001 {
            // RFC 6052, a /48 prefix: 16 bits, the reserved octet, then 16 bits.
            let high = UInt32(truncatingIfNeeded: bits >> 64) & 0xffff
            let low = UInt32(truncatingIfNeeded: bits >> 40) & 0xffff
            return IPAddress(v4: high << 16 | low)
        }
        if top >> 16 == 0x2002 { return IPAddress(v4: UInt32(truncatingIfNeeded: bits >> 80)) }
        if top == 0x2001_0000 { return IPAddress(v4: ~low32) }
        let identifier = UInt32(truncatingIfNeeded: bits >> 32) & 0xfdff_ffff
        return identifier == 0x0000_5efe ? IPAddress(v4: low32) : nil
    }
}
