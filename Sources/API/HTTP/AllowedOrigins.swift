// The web pages of other sites that may use the service (Fetch Standard, CORS).
internal import HTTPWire

/// Origins whose scripts may send requests and read the answers.
///
/// Credentials that a browser adds itself are never allowed: a page sends its key as a field.
package struct AllowedOrigins: Sendable, Equatable {
    /// No origin beside that of the service.
    package static let none = AllowedOrigins(origins: [])
    /// The most origins of a list.
    static let countAtMost = 64

    private let origins: Set<String>

    private init(origins: Set<String>) { self.origins = origins }

    /// Reads origins as browsers send them, separated by commas.
    ///
    /// - Throws: `AddressError` for `*`, and for everything that no browser sends as its `Origin`.
    package init(parsing text: String) throws(AddressError) {
        var origins: Set<String> = []
        for word in text.split(separator: ",") {
            let origin = String(word).trimmed
            guard !origin.isEmpty else { continue }
            try AllowedOrigins.check(origin)
            origins.insert(origin)
        }
        guard origins.count <= AllowedOrigins.countAtMost else {
            throw AddressError("at most \(AllowedOrigins.countAtMost) origins")
        }
        self.origins = origins
    }

    private static func check(_ origin: String) throws(AddressError) {
        guard !origin.contains("*") else {
            throw AddressError("\"\(origin)\": name each origin; * is not taken")
        }
        let ports = ["http": "80", "https": "443"]
        let parts = origin.split(separator: "/", omittingEmptySubsequences: false)
        let isMade =
            parts.count == 3 && parts[1].isEmpty && parts[0].last == ":"
            && ports[String(parts[0].dropLast())] != nil && !parts[2].isEmpty
        let isPlain = origin.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "-._:[]/".utf8.contains(byte)
            }
        }
        guard isMade, isPlain, hasPort(parts[2], otherThan: ports[String(parts[0].dropLast())])
        else {
            throw AddressError(
                "\"\(origin)\" is not an origin as browsers send it: http or https, ://, a host in "
                    + "lower case, and the port unless it is that of the scheme, such as "
                    + "https://app.example")
        }
    }

    /// Whether host and port are in their only form, without the port of the scheme.
    private static func hasPort(_ authority: Substring, otherThan standard: String?) -> Bool {
        let end = authority.first == "[" ? authority.firstIndex(of: "]") : nil
        if authority.first == "[", end == nil { return false }
        let rest = authority[(end.map { authority.index(after: $0) } ?? authority.startIndex)...]
        let host = end == nil ? rest.prefix { $0 != ":" } : authority[...(end ?? rest.startIndex)]
        guard !host.isEmpty, end != nil || !host.contains(where: { "[]".contains($0) }) else {
            return false
        }
        let tail = end == nil ? rest.dropFirst(host.count) : rest
        guard !tail.isEmpty else { return true }
        guard tail.first == ":", let port = UInt16(tail.dropFirst()) else { return false }
        return port > 0 && String(port) == tail.dropFirst() && String(port) != standard
    }

    /// Whether it names no origin.
    var isEmpty: Bool { origins.isEmpty }

    /// The origin of a request if it is listed; nil without one, for another and for several.
    func origin(of request: Request) -> String? {
        guard !isEmpty, let origin = request.headers.only("Origin"), origins.contains(origin) else {
            return nil
        }
        return origin
    }
}
