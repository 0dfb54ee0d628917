// Media types and content codings of bodies.
internal import HTTPWire

/// The type and subtype of a `Content-Type` field (RFC 9110 section 8.3.1).
enum MediaType {
    /// JSON (RFC 8259).
    static let json = "application/json"
    /// A change to a JSON document (RFC 7396).
    static let mergePatch = "application/merge-patch+json"
    /// A list of URLs, one on each line (RFC 2483 section 5).
    static let uriList = "text/uri-list"

    /// The type that a request declares, in lower case and without parameters.
    ///
    /// Parameters are ignored: RFC 8259 section 11 has none for JSON.
    ///
    /// - Returns: nil without the field, and for a repeated field.
    static func declared(_ request: Request) -> String? {
        // Nearly every body has this spelling.
        if request.headers.hasOnly("Content-Type", json) { return json }
        return request.headers.only("Content-Type").map(name)
    }

    /// Whether it is a type that HTML forms send, and `curl -d` by default.
    static func isForm(_ field: String) -> Bool {
        let name = name(field)
        return name == "application/x-www-form-urlencoded" || name == "multipart/form-data"
    }

    private static func name(_ field: String) -> String {
        String(field.prefix { $0 != ";" }).trimmed.lowercased()
    }
}

/// The codings of a body, `Content-Encoding` (RFC 9110 section 8.4).
enum ContentCoding {
    /// The first coding that would have to be decoded; nil for none.
    ///
    /// `identity` and empty elements of the list count as none.
    static func first(of request: Request) -> String? {
        for field in request.headers.all("Content-Encoding") {
            for element in field.split(separator: ",") {
                let name = String(element).trimmed
                guard !name.isEmpty, name.lowercased() != "identity" else { continue }
                return name
            }
        }
        return nil
    }
}
