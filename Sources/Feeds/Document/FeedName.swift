/// The name of an element: its vocabulary, and the word in small letters.
struct FeedName: Equatable {
    /// The vocabularies that the reader knows.
    enum Space: Equatable {
        /// None, or one that is not known, of a name without a prefix.
        case none
        /// Atom.
        case atom
        /// Media RSS.
        case media
        /// Dublin Core.
        case dublinCore
        /// Another one, of a name with a prefix.
        case other
    }

    /// The vocabulary.
    let space: Space
    /// The word behind the prefix, in small letters.
    let word: String

    /// Reads a name as it is written.
    ///
    /// A prefix that is not declared means what it usually means, because many feeds forget the
    /// declaration.
    ///
    /// - Parameters:
    ///   - written: such as `media:content`.
    ///   - prefixes: the declared prefixes; the empty one is that of names without a prefix.
    init(_ written: String, prefixes: [String: Space]) {
        let parts = written.split(separator: ":", maxSplits: 1)
        word = (parts.last ?? "").lowercased()
        let prefix = parts.count == 2 ? String(parts[0]) : ""
        if let declared = prefixes[prefix] {
            space = prefix.isEmpty && declared == .other ? .none : declared
        } else {
            space = prefix.isEmpty ? .none : FeedName.usual[prefix.lowercased()] ?? .other
        }
    }

    /// The vocabulary of a namespace.
    static func space(ofNamespace uri: String) -> Space {
        switch uri.trimmed.lowercased() {
        case "http://www.w3.org/2005/atom", "http://purl.org/atom/ns#": .atom
        case "http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss",
            "http://search.yahoo.com/rss", "http://search.yahoo.com/rss/":
            .media
        case "http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/": .dublinCore
        case "": .none
        default: .other
        }
    }

    private static let usual: [String: Space] = [
        "atom": .atom, "media": .media, "dc": .dublinCore,
    ]
}
