// The origins that the secrets of a session were given for.
internal import Base

/// The origins to which the secrets of a session may be sent.
package enum SecretReach: Equatable, Sendable {
    /// All origins: `["*"]`.
    case everywhere
    /// The listed origins; none if the list is empty.
    case origins([SecretOrigin])

    /// The most origins of one session.
    package static let originsAtMost = 64
    /// The entry for all origins.
    package static let all = "*"

    /// Reads entries that were validated before; an unreadable one allows no origin.
    package init(_ entries: [String]?) {
        let entries = entries ?? []
        self =
            entries == [SecretReach.all]
            ? .everywhere : .origins(entries.compactMap { SecretOrigin(of: $0) })
    }

    /// The entries, as they are stored beside the secrets.
    var entries: [String] {
        switch self {
        case .everywhere: [SecretReach.all]
        case .origins(let origins): origins.map(\.description)
        }
    }

    /// Whether secrets may go to an origin.
    package func includes(_ origin: SecretOrigin) -> Bool {
        switch self {
        case .everywhere: true
        case .origins(let origins): origins.contains(origin)
        }
    }

    /// Whether another reach includes everything that this one does.
    package func isWithin(_ other: SecretReach) -> Bool {
        switch (self, other) {
        case (_, .everywhere): true
        case (.everywhere, .origins): false
        case (.origins(let origins), .origins): origins.allSatisfy(other.includes)
        }
    }

    /// Reads a list of origins, `https://host` or `https://host:port`, or `["*"]`.
    ///
    /// - Returns: the entries in their canonical spelling; nil where the member is absent.
    static func read(_ key: String, _ reader: inout FieldReader) -> [String]? {
        guard
            let entries = reader.strings(
                key, maximumCount: originsAtMost, maximumLength: 512)
        else { return nil }
        if entries == [all] { return entries }
        var origins: [String] = []
        for (place, text) in entries.enumerated() {
            if text == all {
                reader.refuse(key, at: place, "stands for every origin; leave the others out")
                continue
            }
            do throws(SourceURLError) {
                let url = try SourceURL(parsing: text)
                if url.target == "/" {
                    origins.append(String(url.description.dropLast()))
                } else {
                    reader.refuse(
                        key, at: place,
                        "must be an origin such as https://host:8443, without a path")
                }
            } catch {
                reader.refuse(key, at: place, "must be an origin or \"*\": \(error.description)")
            }
        }
        return origins
    }
}
