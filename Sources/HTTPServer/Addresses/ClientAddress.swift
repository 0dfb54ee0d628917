// The address that a connection is counted under.
internal import CPlatform
internal import Glibc

/// The part of a client's address that one client owns: all of an IPv4 address, the first 64 bits
/// of an IPv6 address.
struct ClientAddress: Hashable {
    private let bits: UInt64

    /// Nil for a client that is not counted: one on a Unix socket, and one on loopback unless
    /// loopback counts.
    init?(_ address: UnsafePointer<sockaddr>, countsLoopback: Bool) {
        switch Int32(unsafe address.pointee.sa_family) {
        case AF_INET:
            let bits = unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                unsafe UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
            }
            guard countsLoopback || bits >> 24 != 127 else { return nil }
            self.bits = UInt64(bits)
        case AF_INET6:
            let bytes = unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                unsafe withUnsafeBytes(of: $0.pointee.sin6_addr) { unsafe [UInt8]($0) }
            }
            let isLoopback = bytes == [UInt8](repeating: 0, count: 15) + [1]
            guard countsLoopback || !isLoopback else { return nil }
            // No IPv6 network of clients begins with 32 zero bits, so its number never equals that
            // of an IPv4 address.
            bits = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        default: return nil
        }
    }
}
