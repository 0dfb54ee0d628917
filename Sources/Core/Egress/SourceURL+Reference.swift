// Where a redirect leads.

extension SourceURL {
    /// Resolves a Location value against this URL (RFC 3986 section 5.2, RFC 9110 section 10.2.2).
    ///
    /// Spaces are percent-encoded, as browsers do; everything else is read as strictly as a URL
    /// that a client sends.
    ///
    /// - Parameter reference: an absolute URL, `//host/path`, `/path`, `path` or `?query`.
    /// - Returns: the target of the redirect.
    /// - Throws: `SourceURLError` when the reference does not lead to a URL that may be fetched.
    package func resolving(_ reference: String) throws(SourceURLError) -> SourceURL {
        guard reference.utf8.count <= Self.bytesMax else { throw SourceURLError(.tooLong) }
        let text = PathSegments.percentEncoded(reference.utf8) { $0 == 0x20 }
        if Self.hasScheme(text) { return try SourceURL(parsing: text) }
        if text.hasPrefix("//") { return try SourceURL(parsing: "\(scheme.rawValue):\(text)") }
        let path = target.prefix { $0 != "?" }
        let relative: String
        switch text.utf8.first {
        case UInt8(ascii: "/"): relative = text
        case UInt8(ascii: "?"): relative = path + text
        case nil, UInt8(ascii: "#"): relative = target
        default:
            let cut = path.lastIndex(of: "/") ?? path.startIndex
            relative = path[...cut] + text
        }
        return try SourceURL(parsing: origin + relative)
    }

    /// Whether the text begins with `scheme:`.
    private static func hasScheme(_ text: String) -> Bool {
        guard
            let end = text.utf8.firstIndex(where: { byte in
                ":/?#".utf8.contains(byte)
            })
        else { return false }
        return text.utf8[end] == UInt8(ascii: ":") && end > text.utf8.startIndex
    }
}
