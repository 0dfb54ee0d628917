/// The origins that a name in a document selects: `host:port`, `host`, `*.domain` or `*`.
package struct OriginPattern: Hashable, Sendable {
    /// The name in lower case.
    package let text: String

    /// Creates a pattern from a name that `Bandwidth.isHost` allows, or `*`.
    init(_ text: String) { self.text = text.lowercased() }

    /// Host and port of an origin as `SourceURL.origin` spells it.
    package static func authority(of origin: String) -> (host: String, port: Int)? {
        let authority = origin.split(separator: "/").last ?? ""
        guard let colon = authority.lastIndex(of: ":"),
            let port = Int(authority[authority.index(after: colon)...])
        else { return nil }
        return (authority[..<colon].filter { $0 != "[" && $0 != "]" }, port)
    }

    /// The narrowness of the pattern for an origin that it matches: a larger number is narrower;
    /// nil for no match.
    func narrowness(host: String, port: Int) -> Int? {
        if text == "*" { return 0 }
        if text.hasPrefix("*.") {
            guard host.hasSuffix(text.dropFirst()), host.utf8.count >= text.utf8.count else {
                return nil
            }
            return text.utf8.count
        }
        if text == host { return 1000 }
        return text == "\(host):\(port)" ? 1001 : nil
    }
}
