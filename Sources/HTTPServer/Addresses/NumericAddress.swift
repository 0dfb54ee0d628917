// Internet addresses as numbers, between text and the system's structures.
internal import CPlatform
internal import Glibc
internal import Platform

/// Converts numeric addresses to and from the system's structures, without name resolution.
enum NumericAddress {
    /// True for a numeric IPv4 or IPv6 address.
    static func isValid(_ host: String) -> Bool {
        unsafe withResolved(host: host, port: 0) { _ in true } ?? false
    }

    /// Calls a closure with the system's form of an address; nil if the text is no numeric address.
    static func withResolved<Result>(
        host: String, port: Int, _ body: (addrinfo) -> Result
    ) -> Result? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, String(port), &hints, &found) == 0,
            let first = unsafe found
        else { return nil }
        defer { unsafe freeaddrinfo(first) }
        return unsafe body(first.pointee)
    }

    /// The host and port of a socket address; nil for a family that has neither.
    static func text(
        of address: UnsafePointer<sockaddr>, length: socklen_t
    ) -> (host: String, port: Int)? {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var service = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        let result = unsafe getnameinfo(
            address, length, &host, socklen_t(host.count), &service, socklen_t(service.count),
            NI_NUMERICHOST | NI_NUMERICSERV)
        guard result == 0, let port = Int(text(service)) else { return nil }
        return (text(host), port)
    }

    private static func text(_ buffer: [CChar]) -> String {
        String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
