// Host names in the operator's list.

/// A host name, or `*.` and a name for everything below it.
package struct HostPattern: Hashable, Sendable, CustomStringConvertible {
    private let name: String
    private let isWildcard: Bool

    /// Reads `files.example.com` or `*.example.com`; nil for anything else.
    package init?(_ text: String) {
        let lowered = text.lowercased()
        isWildcard = lowered.hasPrefix("*.")
        name = isWildcard ? String(lowered.dropFirst(2)) : lowered
        let bytes = Array(name.utf8)[...]
        // A name without a dot is more often a misspelt "public" than a host.
        guard HostName.isValid(bytes), bytes.contains(UInt8(ascii: ".")),
            !HostName.endsInNumber(bytes)
        else { return nil }
    }

    /// The pattern as it is written.
    package var description: String { isWildcard ? "*." + name : name }

    /// Whether a lower-case host name matches; `*.example.com` does not match `example.com`.
    package func matches(_ host: String) -> Bool {
        isWildcard ? host.hasSuffix("." + name) && host.count > name.count + 1 : host == name
    }
}
