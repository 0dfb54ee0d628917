/// The rule for identifiers of sessions.
package enum SessionIdentifier {
    /// The rule as a text for clients.
    package static let rule =
        "must have 1 to 128 characters of A-Z a-z 0-9 . _ -, and begin with a letter or digit"

    /// Whether a text obeys the rule.
    package static func isValid(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= 128, isWord(first) else { return false }
        return bytes.allSatisfy {
            isWord($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
                || $0 == UInt8(ascii: "-")
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
