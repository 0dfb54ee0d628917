// Whether this machine has a route to other machines, from /proc.

/// The routes of the machine, or of its network namespace.
package enum NetworkRoutes {
    /// Whether there is a route in any address family, not counting those of the loopback
    /// interface.
    ///
    /// - Returns: true also where that cannot be read.
    package static func exist() -> Bool {
        let v4 = SmallFile.text("/proc/net/route")
        let v6 = SmallFile.text("/proc/net/ipv6_route")
        guard v4 != nil || v6 != nil else { return true }
        return v4.map { hasV4(in: $0) } ?? false || v6.map { hasV6(in: $0) } ?? false
    }

    /// Whether /proc/net/route has a route that is up and not a reject route.
    static func hasV4(in text: String) -> Bool {
        text.split(separator: "\n").dropFirst().contains { line in
            let fields = line.split { $0 == "\t" || $0 == " " }
            guard fields.count > 3, let flags = Int(fields[3], radix: 16) else { return false }
            return fields[0] != "lo" && isWay(flags)
        }
    }

    /// Whether /proc/net/ipv6_route has such a route; link-local and multicast addresses do not
    /// count.
    static func hasV6(in text: String) -> Bool {
        text.split(separator: "\n").contains { line in
            let fields = line.split { $0 == "\t" || $0 == " " }
            guard fields.count == 10, let flags = Int(fields[8], radix: 16) else { return false }
            let isNear = fields[0].hasPrefix("fe8") || fields[0].hasPrefix("ff")
            return fields[9] != "lo" && !isNear && isWay(flags)
        }
    }

    /// Whether the flags have RTF_UP without RTF_REJECT.
    private static func isWay(_ flags: Int) -> Bool { flags & 1 != 0 && flags & 0x200 == 0 }
}
