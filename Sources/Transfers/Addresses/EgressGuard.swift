// The operator's list of destinations with the current addresses of this machine.
internal import Base
internal import CCurl
internal import Glibc
internal import Platform

/// Judges addresses for one engine; touched only on the engine's thread.
///
/// A public address of this machine opens the services of 127.0.0.1, so each of its addresses
/// counts as loopback. They are looked up every 30 s (`Tests/Egress`).
final class EgressGuard {
    private var destinations: Destinations
    private let interfaces: () -> Set<IPAddress>
    private var own: Set<IPAddress> = []
    private var freshUntil = Int64.min

    /// Creates a guard.
    ///
    /// - Parameters:
    ///   - destinations: what the operator allows.
    ///   - interfaces: returns the addresses of this machine.
    init(
        _ destinations: Destinations,
        interfaces: @escaping () -> Set<IPAddress> = EgressGuard.interfaceAddresses
    ) {
        self.destinations = destinations
        self.interfaces = interfaces
    }

    /// Judges by another list from now on.
    func follow(_ destinations: Destinations) { self.destinations = destinations }

    /// Judges every address of a name before a socket is created; `now` in nanoseconds since boot.
    func judge(_ addresses: [IPAddress], of url: SourceURL, now: Int64) -> Destinations.Verdict {
        refresh(now)
        return destinations.judge(all: addresses, port: url.port, host: url.host, own: own)
    }

    /// Judges the address that a URL has in place of a name; `now` in nanoseconds since boot.
    func judge(_ address: IPAddress, of url: SourceURL, now: Int64) -> Destinations.Verdict {
        refresh(now)
        return judge(address, port: url.port, host: url.host)
    }

    private func refresh(_ now: Int64) {
        guard now >= freshUntil else { return }
        own = interfaces()
        freshUntil = now + TransferLimits.interfacesTTL
    }

    /// Judges the raw address of a socket, with the addresses of this machine as they were read
    /// last.
    func judge(_ address: IPAddress, port: Int, host: String) -> Destinations.Verdict {
        destinations.judge(address, port: port, host: host, isOwn: own.contains(address))
    }

    /// The addresses of this machine's interfaces; see getifaddrs(3).
    ///
    /// - Returns: none on an error; the rules still apply to what they name.
    static func interfaceAddresses() -> Set<IPAddress> {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { return [] }
        defer { unsafe freeifaddrs(first) }
        var found: Set<IPAddress> = []
        var next = unsafe first
        while let entry = unsafe next {
            unsafe next = entry.pointee.ifa_next
            guard let raw = unsafe entry.pointee.ifa_addr else { continue }
            let length =
                switch Int32(unsafe raw.pointee.sa_family) {
                case AF_INET: MemoryLayout<sockaddr_in>.size
                case AF_INET6: MemoryLayout<sockaddr_in6>.size
                default: 0
                }
            let here = unsafe SocketAddress.read(UnsafeRawPointer(raw), length: UInt32(length))
            if let here { found.insert(here.address) }
        }
        return found
    }
}
