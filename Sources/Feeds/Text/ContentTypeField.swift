/// The parts of a `Content-Type` that say how bytes are read.
struct ContentTypeField: Equatable {
    /// The character set, in small letters; nil if the field names none.
    var charset: String?

    /// Reads a field; one that is malformed says nothing.
    init(_ field: String?) {
        for part in (field ?? "").split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1).map(\.trimmed)
            if pair.count == 2, pair[0].lowercased() == "charset", charset == nil {
                charset = pair[1].lowercased().filter { $0 != "\"" && $0 != "'" }
            }
        }
    }
}

extension StringProtocol {
    /// The text without white space at both ends.
    var trimmed: String {
        let isSpace: (Character) -> Bool = { $0.isWhitespace }
        guard let first = firstIndex(where: { !isSpace($0) }),
            let last = lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(self[first...last])
    }

    /// The text in one line: white space of any kind becomes one space.
    var oneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
