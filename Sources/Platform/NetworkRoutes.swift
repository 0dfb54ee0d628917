// Whether this machine has a way to any other, from /proc.

/// The routes of the machine, or of its network namespace.
package enum NetworkRoutes {
    /// Whether there is a route in any address family but those of the loopback interface.
    ///
    /// - Returns: true also where that cannot be read.
    package static func exist() -> Bool {
        let v4 = SmallFile.text("/proc/net/route")
        let v6 = SmallFile.text("/proc/net/ipv6_route")
        guard v4 != nil || v6 != nil else { return true }
        return v4.map { hasV4(in: $0) } ?? false || v6.map { hasV6(in: $0) } ?? false
    }

    /// Whether a line of /proc/net/route is a way out: it is up, and rejects nothing.
    static func hasV4(in text: String) -> Bool {
        text.split(separator: "\n").dropFirst().contains { line in
            let fields = line.split { $0 == "\t" || $0 == " " }
            guard fields.count > 3, let flags = Int(fields[3], radix: 16) else { return false }
            return fields[0] != "lo" && isWay(flags)
        }
    }

    /// The same of /proc/net/ipv6_route; addresses of a link and of groups lead nowhere else.
    static func hasV6(in text: String) -> Bool {
        text.split(separator: "\n").contains { line in
            let fields = line.split { $0 == "\t" || $0 == " " }
            guard fields.count == 10, let flags = Int(fields[8], radix: 16) else { return false }
            let isNear = fields[0].hasPrefix("fe8") || fields[0].hasPrefix("ff")
            return fields[9] != "lo" && !isNear && isWay(flags)
        }
    }

    /// RTF_UP without RTF_REJECT.
    private static func isWay(_ flags: Int) -> Bool { flags & 1 != 0 && flags & 0x200 == 0 }
}
