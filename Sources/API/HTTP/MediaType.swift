// Whether a body claims to be what we read.

/// The type and subtype of a `Content-Type` field (RFC 9110 section 8.3.1).
enum MediaType {
    /// True for `application/json` and types ending in `+json`, with any parameters.
    static func isJSON(_ field: String) -> Bool {
        let name = name(field)
        return name == "application/json"
            || name.hasPrefix("application/") && name.hasSuffix("+json")
    }

    /// True for what a form sends, and `curl -d` by default.
    static func isForm(_ field: String) -> Bool {
        let name = name(field)
        return name == "application/x-www-form-urlencoded" || name == "multipart/form-data"
    }

    /// True for a list of URLs, one a line (RFC 2483 section 5).
    static func isURIList(_ field: String) -> Bool { name(field) == "text/uri-list" }

    private static func name(_ field: String) -> String {
        String(field.prefix { $0 != ";" }).trimmed.lowercased()
    }
}
