// Entity tags, and the lists of them in conditions.

/// An entity tag (RFC 9110 section 8.8.3).
struct EntityTag: Hashable, Sendable {
    /// Whether representations with different bytes may share it.
    let isWeak: Bool
    /// The text between the quotation marks.
    let opaque: String

    /// A tag for one sequence of bytes.
    static func strong(_ opaque: String) -> EntityTag { EntityTag(isWeak: false, opaque: opaque) }

    /// A tag for equivalent representations.
    static func weak(_ opaque: String) -> EntityTag { EntityTag(isWeak: true, opaque: opaque) }

    /// The tag as it is written in a header field.
    var text: String { (isWeak ? "W/\"" : "\"") + opaque + "\"" }

    /// Strong comparison (RFC 9110 section 8.8.3.2).
    func isSame(as other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }
}

/// The value of `If-Match` or `If-None-Match` (RFC 9110 section 13.1).
enum EntityTagCondition: Equatable, Sendable {
    /// `*`: any representation.
    case any
    /// One of these tags; none if the list is empty.
    case tags([EntityTag])
    /// Not a valid list: it matches no tag.
    case unreadable

    /// The most tags that are read.
    static let tagsAtMost = 64

    /// Reads the values of all lines of the field.
    ///
    /// - Returns: nil when the field is absent.
    static func read(_ values: [String]) -> EntityTagCondition? {
        guard !values.isEmpty else { return nil }
        let bytes = Array(values.joined(separator: ",").utf8)
        if String(decoding: bytes, as: UTF8.self).trimmed == "*" { return .any }
        var tags: [EntityTag] = []
        var index = 0
        while true {
            skipSpace(bytes, &index)
            if index < bytes.count, bytes[index] != UInt8(ascii: ",") {
                guard let tag = tag(bytes, &index), tags.count < tagsAtMost else {
                    return .unreadable
                }
                tags.append(tag)
                skipSpace(bytes, &index)
            }
            guard index < bytes.count else { return .tags(tags) }
            guard bytes[index] == UInt8(ascii: ",") else { return .unreadable }
            index += 1
        }
    }

    /// Whether a tag matches by a rule of comparison.
    func matches(_ isSame: (EntityTag) -> Bool) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains(where: isSame)
        case .unreadable: false
        }
    }

    /// Whether a tag matches by weak comparison, as for `If-None-Match`.
    func matchesWeakly(_ tag: EntityTag) -> Bool { matches { $0.opaque == tag.opaque } }

    /// Whether a tag matches by strong comparison, as for `If-Match`.
    func matchesStrongly(_ tag: EntityTag) -> Bool { matches { $0.isSame(as: tag) } }

    private static func skipSpace(_ bytes: [UInt8], _ index: inout Int) {
        while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    }

    private static func tag(_ bytes: [UInt8], _ index: inout Int) -> EntityTag? {
        let isWeak = bytes[index...].starts(with: "W/".utf8)
        if isWeak { index += 2 }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return nil }
        let start = index + 1
        guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\"")),
            bytes[start..<end].allSatisfy({ $0 > 0x20 && $0 != 0x7f })
        else { return nil }
        index = end + 1
        return EntityTag(
            isWeak: isWeak, opaque: String(decoding: bytes[start..<end], as: UTF8.self))
    }
}

extension String {
    /// The text without spaces and tabs at both ends.
    var trimmed: String {
        guard let start = firstIndex(where: { $0 != " " && $0 != "\t" }),
            let end = lastIndex(where: { $0 != " " && $0 != "\t" })
        else { return "" }
        return String(self[start...end])
    }
}
