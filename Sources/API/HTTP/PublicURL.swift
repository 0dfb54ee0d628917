// The address of the service for its clients.
internal import Base
internal import HTTPWire

/// The URL at which clients reach the service, perhaps below a path that a proxy takes away.
package struct PublicURL: Sendable, Equatable {
    /// The URL without a slash at its end.
    package let text: String
    /// Its path, such as `/lull`; empty without one.
    package let path: String
    /// Its host, with the port if it has one.
    package let authority: String

    /// Reads the text of a setting; one slash at its end is left out.
    ///
    /// - Throws: `AddressError` unless it is an http or https URL of scheme, host and port, and
    ///   perhaps a path of letters, digits and `-._~`.
    package init(parsing text: String) throws(AddressError) {
        let whole = text.hasSuffix("/") ? String(text.dropLast()) : text
        do throws(SourceURLError) {
            _ = try SourceURL(parsing: whole)
        } catch {
            throw AddressError("\"\(text)\" is not an http or https URL: \(error)")
        }
        let parts = whole.split(separator: "/", omittingEmptySubsequences: false)
        let names = parts.dropFirst(3)
        let arePlain = names.allSatisfy { name in
            !name.isEmpty && name != "." && name != ".."
                && name.utf8.allSatisfy { $0.isUnreserved }
        }
        guard parts.count >= 3, !parts[2].isEmpty, arePlain,
            !parts[2].utf8.contains(where: { "@?#\\".utf8.contains($0) })
        else {
            throw AddressError(
                "\"\(text)\" must have only scheme, host and port, and perhaps a path of letters, "
                    + "digits and - . _ ~")
        }
        self.text = whole
        authority = String(parts[2])
        path = names.map { "/" + $0 }.joined()
    }
}

extension UInt8 {
    /// Whether it is a character that needs no coding anywhere in a URL (RFC 3986 section 2.3).
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(self)
        }
    }
}

extension Response {
    /// Puts the path that a proxy takes away before the paths in `Location` and `Link`.
    mutating func begin(paths prefix: String) {
        guard !prefix.isEmpty else { return }
        for place in headers.indices {
            let (name, value) = headers[place]
            if name == "Location", value.hasPrefix("/") { headers[place].1 = prefix + value }
            if name == "Link", value.hasPrefix("</") {
                headers[place].1 = "<" + prefix + value.dropFirst()
            }
        }
    }
}
