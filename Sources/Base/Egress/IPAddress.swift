// An address on the network as a number, which every decision about egress judges.

/// An IPv4 or IPv6 address without a zone.
package struct IPAddress: Hashable, Sendable {
    /// The kind of an address.
    package enum Family: Sendable {
        /// IPv4, 32 bits.
        case v4
        /// IPv6, 128 bits.
        case v6
    }

    /// The address's kind.
    package let family: Family
    /// The address as a number in host order; at most 32 bits are used for IPv4.
    package let bits: UInt128

    /// An IPv4 address.
    ///
    /// - Parameter bits: the four bytes in host order; 127.0.0.1 is 0x7f00_0001.
    package init(v4 bits: UInt32) {
        family = .v4
        self.bits = UInt128(bits)
    }

    /// An IPv6 address.
    ///
    /// - Parameter bits: the sixteen bytes in host order; `::1` is 1.
    package init(v6 bits: UInt128) {
        family = .v6
        self.bits = bits
    }

    /// The number of bits of an address of this kind: 32 or 128.
    package var width: Int { family == .v4 ? 32 : 128 }

    /// The lowest 32 bits: the whole of an IPv4 address, or the tail of an IPv6 one.
    package var low32: UInt32 { UInt32(truncatingIfNeeded: bits) }
}
