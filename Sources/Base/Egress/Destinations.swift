// The destinations that the operator allows: the only place that decides whether a socket may open.

/// The operator's list of allowed destinations.
///
/// The list is a union. `public` is the public Internet without any reserved range; `private` adds
/// RFC 1918, unique local IPv6 and carrier-grade NAT; `loopback` adds 127.0.0.0/8 and `::1`. A CIDR
/// adds its public addresses, and reserved ones only when it lies inside the range that reserves
/// them. A host name or `*.` name adds public addresses for those hosts alone.
package struct Destinations: Sendable, Hashable {
    /// An address and a port.
    package struct Endpoint: Hashable, Sendable {
        /// The address.
        package let address: IPAddress
        /// The port, 1 to 65535.
        package let port: Int

        /// An address and a port.
        package init(address: IPAddress, port: Int) {
            self.address = address
            self.port = port
        }
    }

    /// The answer about one address.
    package enum Verdict: Hashable, Sendable {
        /// A socket may be opened.
        case allowed
        /// It may not; the reason is for the operator's log, never for the client.
        case denied(Denial)
    }

    /// The reason why an address was refused.
    package enum Denial: String, Sendable {
        /// The port belongs to another protocol.
        case port
        /// A cloud's metadata or credentials endpoint.
        case metadata
        /// A link-local address.
        case linkLocal = "link_local"
        /// This machine.
        case loopback
        /// A private network.
        case privateNetwork = "private_network"
        /// An IPv6 form around an IPv4 address.
        case embedded
        /// Another reserved range.
        case reserved
        /// A public address that the list does not name.
        case notListed = "not_listed"
        /// One of the program's own endpoints.
        case ownEndpoint = "own_endpoint"
        /// A name with allowed and denied addresses.
        case mixedAnswer = "mixed_answer"
    }

    var allowsPublic = false
    var allowsPrivate = false
    var allowsLoopback = false
    var ranges: [AddressRange] = []
    var hosts: [HostPattern] = []
    var refused: Set<Endpoint> = []
    var ownPorts: Set<Int> = []

    /// The list that allows the public Internet only; the default.
    package static let publicOnly: Destinations = {
        var list = Destinations()
        list.allowsPublic = true
        return list
    }()

    /// The list without these endpoints, those of the program's database.
    package func refusing(_ endpoints: some Sequence<Endpoint>) -> Destinations {
        var list = self
        list.refused.formUnion(endpoints)
        return list
    }

    /// The list with the program's own listeners, at these ports of this machine, allowed only
    /// where `loopback` is.
    package func refusing(ownPorts ports: some Sequence<Int>) -> Destinations {
        var list = self
        list.ownPorts.formUnion(ports)
        return list
    }

    /// Judges one address before a socket connects to it.
    ///
    /// - Parameters:
    ///   - address: the raw address, not a name.
    ///   - port: 0 to 65535.
    ///   - host: the lower-case host of the URL.
    ///   - isOwn: whether an interface of this machine has the address: then it counts as loopback.
    /// - Returns: allowed or the reason against it. Complexity: the length of the list.
    package func judge(
        _ address: IPAddress, port: Int, host: String, isOwn: Bool = false
    ) -> Verdict {
        if !(1...65535).contains(port) || PortRules.refused.contains(port) { return .denied(.port) }
        let reserved = ReservedRange.enclosing(address)
        let isHere = isOwn || reserved?.kind == .loopback
        // An operator who allows loopback tests on one machine, perhaps with this service as an
        // origin.
        if refused.contains(Endpoint(address: address, port: port))
            || (isHere && !allowsLoopback && ownPorts.contains(port))
        {
            return .denied(.ownEndpoint)
        }
        if isOwn, !allowsLoopback, !ranges.contains(where: { $0.contains(address) }) {
            return .denied(.loopback)
        }
        guard let reserved else { return judgePublic(address, host: host) }
        switch reserved.kind {
        case .loopback where allowsLoopback, .privateNetwork where allowsPrivate: return .allowed
        default: break
        }
        let isNamed = ranges.contains { $0.contains(address) && reserved.range.contains($0) }
        guard isNamed else { return .denied(Denial(reserved.kind)) }
        return judgeEmbedded(address, host: host)
    }

    /// Judges every address of a name.
    ///
    /// A name is refused whole when one of its addresses is denied: an honest name has no reason
    /// to point to both sides, and a rebinding one does.
    package func judge(
        all addresses: [IPAddress], port: Int, host: String,
        own: Set<IPAddress> = []
    ) -> Verdict {
        var denial: Denial?
        var allowed = 0
        for address in addresses {
            switch judge(address, port: port, host: host, isOwn: own.contains(address)) {
            case .allowed: allowed += 1
            case .denied(let reason): denial = denial ?? reason
            }
        }
        guard let denial else { return .allowed }
        return .denied(allowed > 0 ? .mixedAnswer : denial)
    }

    private func judgePublic(_ address: IPAddress, host: String) -> Verdict {
        let isListed =
            allowsPublic || ranges.contains { $0.contains(address) }
            || hosts.contains { $0.matches(host) }
        return isListed ? judgeEmbedded(address, host: host) : .denied(.notListed)
    }

    /// Of addresses in an IPv6 form only public or listed IPv4 ones are allowed, whatever else the
    /// list has.
    private func judgeEmbedded(_ address: IPAddress, host: String) -> Verdict {
        guard let inner = address.embeddedV4 else { return .allowed }
        guard let reserved = ReservedRange.enclosing(inner) else {
            return judgePublic(inner, host: host)
        }
        let isNamed = ranges.contains { $0.contains(inner) && reserved.range.contains($0) }
        return isNamed ? .allowed : .denied(.embedded)
    }
}

extension Destinations.Denial {
    fileprivate init(_ kind: ReservedRange.Kind) {
        switch kind {
        case .metadata: self = .metadata
        case .linkLocal: self = .linkLocal
        case .loopback: self = .loopback
        case .privateNetwork: self = .privateNetwork
        case .embedded: self = .embedded
        case .reserved: self = .reserved
        }
    }
}
