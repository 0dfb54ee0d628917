// Resolves names outside the loop, because getaddrinfo(3) blocks for an unknown time.
internal import Base
internal import CCurl
internal import Dispatch
internal import Downloads
internal import Glibc

/// The system's resolver on threads of its own; ``AddressLookups`` bounds how many are busy.
struct Resolver: Sendable {
    /// The function that resolves: the system's, or in tests one with constant answers.
    let answer: @Sendable (String) -> LookupAnswer
    private let queue = DispatchQueue(label: "lull.transfers.resolver", attributes: .concurrent)

    /// Looks a name up and reports on one of the resolver's threads.
    func lookUp(
        _ host: String, _ report: @escaping @Sendable (LookupAnswer) -> Void
    ) {
        // RFC 6761 section 6.3: these names mean this machine, whatever a name server answers.
        if host == "localhost" || host.hasSuffix(".localhost") {
            report(.addresses([IPAddress(v4: 0x7f00_0001), IPAddress(v6: 1)]))
            return
        }
        queue.async { report(answer(host)) }
    }

    /// The addresses by getaddrinfo(3).
    static func ask(_ host: String) -> LookupAnswer {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = lull_stream_socket
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = unsafe getaddrinfo(host, nil, &hints, &list)
        guard failure == 0 else {
            let isCertain = failure == EAI_NONAME || failure == eaiNoData
            return .failed(isCertain ? .cannotFindHost : .dnsLookupFailed)
        }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            unsafe next = entry.pointee.ai_next
            guard
                let address = unsafe SocketAddress.read(
                    UnsafeRawPointer(entry.pointee.ai_addr), length: entry.pointee.ai_addrlen)
            else { continue }
            if !addresses.contains(address.address) { addresses.append(address.address) }
        }
        return addresses.isEmpty ? .failed(.cannotFindHost) : .addresses(addresses)
    }

    /// `EAI_NODATA`, hidden by Glibc's module: the name exists but has no address.
    private static let eaiNoData: Int32 = -5
}
