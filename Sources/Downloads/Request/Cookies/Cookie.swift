// A cookie, as an answer set it.
internal import Base

/// One cookie (RFC 6265 section 5.3), which belongs to the origin that set it.
struct Cookie: Equatable, Sendable {
    /// The most bytes of a name with its value.
    private static let bytesAtMost = 4096

    let origin: SecretOrigin
    let name: FieldValue
    let value: FieldValue
    /// The path with which the paths of requests have to begin.
    let path: [UInt8]
    /// Whether it is sent over TLS only.
    let isSecure: Bool
    /// The time at which it expires; nil for the end of the attempt.
    let expiresAt: Timestamp?

    /// Reads a `Set-Cookie` (RFC 6265 section 5.2); nil for one that the origin may not set.
    ///
    /// - Parameters:
    ///   - field: the value of the field.
    ///   - url: the URL that answered.
    ///   - now: the clock.
    init?(_ field: FieldValue, from url: SourceURL, at now: Timestamp) {
        let parts = field.bytes.split(
            separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard let pair = parts.first, let sign = pair.firstIndex(of: UInt8(ascii: "=")) else {
            return nil
        }
        let name = Cookie.trimmed(pair[..<sign])
        let value = Cookie.trimmed(pair[(sign + 1)...])
        guard !name.isEmpty, name.count + value.count <= Cookie.bytesAtMost,
            !pair.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f })
        else { return nil }
        var (path, isSecure) = (Cookie.folder(of: url), false)
        var (expires, age): (Timestamp?, Timestamp?) = (nil, nil)
        for part in parts.dropFirst() {
            let sign = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let text = Cookie.trimmed(part[sign...].dropFirst())
            switch String(decoding: Cookie.trimmed(part[..<sign]), as: UTF8.self).lowercased() {
            case "expires": expires = CookieDate.read(text) ?? expires
            case "max-age": age = Cookie.end(ofAge: text, at: now) ?? age
            case "domain":
                guard Cookie.isDomain(text, of: url) else { return nil }
            case "path":
                path = text.first == UInt8(ascii: "/") ? Array(text) : Cookie.folder(of: url)
            case "secure": isSecure = true
            default: break
            }
        }
        guard !isSecure || url.scheme == .https else { return nil }
        origin = SecretOrigin(of: url)
        (self.name, self.value) = (FieldValue(bytes: name), FieldValue(bytes: value))
        (self.path, self.isSecure) = (path, isSecure)
        expiresAt = age ?? expires
    }

    /// Whether a later cookie replaces it.
    func isReplaced(by other: Cookie) -> Bool {
        name == other.name && path == other.path && origin == other.origin
    }

    /// Whether it has expired.
    func isOver(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }

    /// Whether a request to a URL carries it (RFC 6265 section 5.4).
    func goes(to url: SourceURL, at now: Timestamp) -> Bool {
        guard !isOver(at: now), !isSecure || url.scheme == .https, origin == SecretOrigin(of: url)
        else { return false }
        let asked = Array(url.target.utf8.prefix { $0 != UInt8(ascii: "?") })
        guard asked.starts(with: path) else { return false }
        return asked.count == path.count || path.last == UInt8(ascii: "/")
            || asked[path.count] == UInt8(ascii: "/")
    }

    /// The default path (RFC 6265 section 5.1.4).
    private static func folder(of url: SourceURL) -> [UInt8] {
        let path = Array(url.target.utf8.prefix { $0 != UInt8(ascii: "?") })
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > 0 else {
            return [UInt8(ascii: "/")]
        }
        return Array(path[..<slash])
    }

    /// Whether a host may name a domain: the host itself or a parent domain.
    ///
    /// The cookie belongs to the host even then.
    private static func isDomain(_ text: ArraySlice<UInt8>, of url: SourceURL) -> Bool {
        let dot = UInt8(ascii: ".")
        let domain = String(decoding: text.first == dot ? text.dropFirst() : text, as: UTF8.self)
            .lowercased()
        guard !domain.isEmpty, url.host != domain else { return true }
        return !url.isLiteralAddress && url.host.hasSuffix("." + domain)
    }

    /// The time at which an age in seconds ends; nil for a text that is no number.
    private static func end(ofAge text: ArraySlice<UInt8>, at now: Timestamp) -> Timestamp? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative ? text.dropFirst() : text
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        guard !isNegative else { return now }
        // Ten years, longer than any attempt.
        let most: Int64 = 315_360_000
        let seconds = Int64(String(decoding: digits, as: UTF8.self)) ?? most
        return now + .seconds(min(seconds, most))
    }

    /// The bytes without blanks at their ends.
    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return bytes[first...last]
    }
}
