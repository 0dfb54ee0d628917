// The types of content that a client accepts.
internal import Base

/// `type/subtype`, `type/*` or `*/*`, as in `Accept` without weights (RFC 9110 section 12.5.1).
enum MediaRange {
    /// The most types of one list.
    static let countAtMost = 32
    private static let bytesAtMost = 255
    /// The type of an answer without a Content-Type.
    private static let unnamed = "application/octet-stream"

    /// Reads a list; an invalid one is refused with its pointer.
    ///
    /// - Returns: types in small letters; nil where the member is absent.
    static func read(_ key: String, _ reader: inout FieldReader) -> [String]? {
        guard
            let entries = reader.strings(
                key, maximumCount: countAtMost, maximumLength: bytesAtMost)
        else { return nil }
        if entries.isEmpty {
            reader.refuse(key, "must name at least one type, or be null for all types")
        }
        for (place, entry) in entries.enumerated() where !isRange(entry) {
            reader.refuse(
                key, at: place,
                "must be a type such as text/csv, image/* or */*, without parameters")
        }
        return entries.map { $0.lowercased() }
    }

    private static func isRange(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: slash, omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({
                !$0.isEmpty && $0.allSatisfy(HeaderFieldRules.isTokenByte)
                    && (!$0.contains(star) || $0.count == 1)
            })
        else { return false }
        return parts[0].first != star || parts[1].first == star
    }

    /// Whether a content type is in one of the ranges.
    ///
    /// - Parameters:
    ///   - type: `Content-Type` as sent; nil where it was not.
    ///   - ranges: as `read` gives them.
    /// - Returns: true for a type that one of them names.
    static func includes(_ type: String?, in ranges: [String]) -> Bool {
        let name = essence(of: type)
        let family = name.prefix { $0 != "/" } + "/*"
        return ranges.contains { $0 == name || $0 == family || $0 == "*/*" }
    }

    /// The type in lower case without its parameters.
    static func essence(of type: String?) -> String {
        let name = (type ?? "").lowercased().prefix { $0 != ";" }
            .filter { $0 != " " && $0 != "\t" }
        return name.isEmpty ? unnamed : name
    }

    private static let slash = UInt8(ascii: "/")
    private static let star = UInt8(ascii: "*")
}
