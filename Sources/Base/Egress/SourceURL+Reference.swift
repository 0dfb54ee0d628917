// The target of a redirect.

extension SourceURL {
    /// Resolves a Location value against this URL (RFC 3986 section 5.2, RFC 9110 section 10.2.2).
    ///
    /// Spaces, and bytes outside ASCII in path and query, are percent-encoded as they are;
    /// everything else is read as strictly as a URL that a client sends.
    ///
    /// - Parameter reference: an absolute URL, `//host/path`, `/path`, `path` or `?query`.
    /// - Returns: the target of the redirect.
    /// - Throws: `SourceURLError` when the reference does not lead to a URL that may be fetched.
    package func resolving(_ reference: FieldValue) throws(SourceURLError) -> SourceURL {
        let reference = reference.bytes
        guard reference.count <= Self.bytesMax else { throw SourceURLError(.tooLong) }
        let bytes = PathSegments.percentEncoded(reference) { $0 == 0x20 }
        if Self.hasScheme(bytes) { return try SourceURL(parsing: bytes) }
        if bytes.starts(with: "//".utf8) {
            return try SourceURL(parsing: Array("\(scheme.rawValue):".utf8) + bytes)
        }
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        let relative: [UInt8]
        switch bytes.first {
        case UInt8(ascii: "/"): relative = bytes
        case UInt8(ascii: "?"): relative = path + bytes
        case nil, UInt8(ascii: "#"): relative = Array(target.utf8)
        default:
            let cut = path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
            relative = path[...cut] + bytes
        }
        return try SourceURL(parsing: Array(origin.utf8) + relative)
    }

    /// Whether the bytes begin with `scheme:`.
    private static func hasScheme(_ bytes: [UInt8]) -> Bool {
        guard let end = bytes.firstIndex(where: { ":/?#".utf8.contains($0) }) else { return false }
        return bytes[end] == UInt8(ascii: ":") && end > bytes.startIndex
    }
}
