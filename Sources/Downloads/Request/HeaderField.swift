// Header fields that a client gives, and the names that it may not use.

/// One field of a request; its value is a secret.
package struct HeaderField: Equatable, Sendable {
    /// The name as the client wrote it.
    package var name: String
    /// The value, without leading or trailing white space.
    package var value: String

    /// Creates a pair of both values.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Fields about the client and its preferences: no secrets, so they are sent to every origin
    /// that a request reaches.
    package static let open: Set<String> = ["accept", "accept-language", "referer", "user-agent"]

    /// Whether the field is one of ``open``.
    package var isOpen: Bool { HeaderField.open.contains(name.lowercased()) }

    /// Whether a field has that name, in any case (RFC 9110 section 5.1).
    package func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }
}

extension [HeaderField] {
    /// This list and another one together; a field of the other list replaces fields of its name,
    /// in any case of letters.
    package func overridden(by others: [HeaderField]) -> [HeaderField] {
        let names = Set(others.lazy.map { $0.name.lowercased() })
        return filter { !names.contains($0.name.lowercased()) } + others
    }
}
