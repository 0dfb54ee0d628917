// The setting's grammar: comma-separated words, CIDRs and host names.

extension Destinations {
    /// The most entries that a list may have.
    package static let entriesMax = 256

    /// Reads a list such as `public,loopback`, `10.20.0.0/16, *.example.com`.
    ///
    /// - Parameter text: `public`, `private`, `loopback`, CIDRs and host names, with commas.
    /// - Returns: the list.
    /// - Throws: `DestinationsError` for an empty list, an unknown entry, or a range of everything.
    package static func parse(_ text: String) throws(DestinationsError) -> Destinations {
        let entries = text.split(separator: ",", omittingEmptySubsequences: false)
        guard entries.count <= entriesMax else {
            throw DestinationsError(
                entry: "", description: "List at most \(entriesMax) destinations.")
        }
        var list = Destinations()
        for entry in entries {
            let start = entry.firstIndex { $0 != " " && $0 != "\t" } ?? entry.endIndex
            let end = entry.lastIndex { $0 != " " && $0 != "\t" } ?? entry.startIndex
            try list.add(start == entry.endIndex ? "" : String(entry[start...end]))
        }
        return list
    }

    private mutating func add(_ entry: String) throws(DestinationsError) {
        switch entry {
        case "": throw .init(entry: entry, description: "Remove the empty entry from the list.")
        case "public": allowsPublic = true
        case "private": allowsPrivate = true
        case "loopback": allowsLoopback = true
        default:
            if let range = AddressRange(entry) {
                guard range.prefix > 0 else {
                    throw .init(
                        entry: entry, description: "Write `public` instead of \"\(entry)\".")
                }
                ranges.append(range)
            } else if let host = HostPattern(entry) {
                hosts.append(host)
            } else {
                throw .init(
                    entry: entry,
                    description: "\"\(entry)\" is not a destination. Write public, private, "
                        + "loopback, a range such as 10.20.0.0/16 (host bits zero) or a host such "
                        + "as *.example.com.")
            }
        }
    }
}

extension Destinations: CustomStringConvertible {
    /// The list as it would be written, without the program's own endpoints.
    package var description: String {
        var words: [String] = []
        if allowsPublic { words.append("public") }
        if allowsPrivate { words.append("private") }
        if allowsLoopback { words.append("loopback") }
        words += ranges.map(\.description) + hosts.map(\.description)
        return words.joined(separator: ",")
    }
}
