/// The address of a service: a URL, or a Unix socket.
package struct ServerAddress: Sendable, Equatable {
    /// The default address.
    package static let usual = "http://127.0.0.1:8080"

    /// The prefix of every URL, without a slash at its end.
    package let base: String
    /// The path of the socket; nil for TCP.
    package let socket: String?
    /// The address as it was given.
    package let text: String

    /// Reads `http://HOST:PORT`, `https://HOST/PREFIX`, `HOST:PORT` or `unix:/PATH`.
    package init(_ text: String) throws(ClientFailure) {
        self.text = text
        guard !text.contains(where: { $0.isWhitespace }), !text.contains("?"), !text.contains("#")
        else { throw ServerAddress.failure(text) }
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard path.hasPrefix("/"), path.utf8.count < 108 else {
                throw ServerAddress.failure(text)
            }
            socket = path
            base = "http://localhost"
            return
        }
        socket = nil
        var url = text.contains("://") ? text : "http://" + text
        while url.hasSuffix("/") { url.removeLast() }
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        let isKnown = parts.count == 3 && (parts[0] == "http:" || parts[0] == "https:")
        let host = parts.count == 3 ? parts[2].prefix { $0 != "/" } : ""
        guard isKnown, !host.isEmpty, !host.hasPrefix(":"), !host.contains("@") else {
            throw ServerAddress.failure(text)
        }
        base = url
    }

    private static func failure(_ text: String) -> ClientFailure {
        .usage("\"\(text)\" is not the address of a service: write http://HOST:PORT or unix:/PATH")
    }
}
