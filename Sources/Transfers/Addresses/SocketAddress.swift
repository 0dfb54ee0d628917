// Reads socket addresses as the kernel stores them.
internal import Base
internal import Glibc

/// Reads `struct sockaddr` of any family by its length.
enum SocketAddress {
    /// The address and port, or nil for other families and short structures.
    ///
    /// The bytes are read in place, because a copy of `struct sockaddr` has only 16 bytes, too few
    /// for an IPv6 address.
    static func read(
        _ raw: UnsafeRawPointer?, length: UInt32
    ) -> (address: IPAddress, port: Int)? {
        guard let raw = unsafe raw, Int(length) >= MemoryLayout<sa_family_t>.size else {
            return nil
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: raw, count: Int(length))
        let family = unsafe bytes.loadUnaligned(as: sa_family_t.self)
        switch Int32(family) {
        case AF_INET where bytes.count >= MemoryLayout<sockaddr_in>.size:
            let bits = unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
            return (IPAddress(v4: UInt32(bigEndian: bits)), unsafe port(bytes))
        case AF_INET6 where bytes.count >= MemoryLayout<sockaddr_in6>.size:
            let bits = unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt128.self)
            return (IPAddress(v6: UInt128(bigEndian: bits)), unsafe port(bytes))
        default: return nil
        }
    }

    private static func port(_ bytes: UnsafeRawBufferPointer) -> Int {
        Int(UInt16(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
    }
}
