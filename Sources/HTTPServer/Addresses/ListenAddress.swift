// The addresses that the server listens on.

/// An address of the server.
package enum ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// A numeric IPv4 or IPv6 address without brackets, and a port; port 0 lets the system choose.
    case internet(host: String, port: Int)
    /// The path of a Unix domain socket.
    case unix(path: String)

    /// Reads `127.0.0.1:8080`, `[::1]:8080` or `unix:/run/lull.sock`; nil for anything else.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            // sun_path holds 108 bytes with the NUL at the end; see unix(7).
            guard !path.isEmpty, path.utf8.count <= 107, !path.utf8.contains(0) else { return nil }
            self = .unix(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        var host = text[..<colon]
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.count <= 5,
            digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let port = Int(digits),
            port <= 65_535
        else { return nil }
        let isBracketed = host.first == "["
        if isBracketed {
            guard host.last == "]" else { return nil }
            host = host.dropFirst().dropLast()
        }
        guard host.contains(":") == isBracketed, NumericAddress.isValid(String(host)) else {
            return nil
        }
        self = .internet(host: String(host), port: port)
    }

    /// The text that `init(_:)` reads.
    package var description: String {
        switch self {
        case .internet(let host, let port):
            host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
