internal import Base

/// The forms of texts in a policy document; each is checked by a reader of its own.
package enum TextForm: String, Sendable, CaseIterable {
    /// Any text of 1 to 128 bytes.
    case name
    /// A word of letters, digits, `_`, `-` and `.`: the name of a window or a condition.
    case word
    /// An IANA time zone name.
    case zone
    /// One line of a window.
    case window
    /// One requirement of a rule.
    case requirement
    /// The preference of a rule.
    case preference
    /// A duration such as `90s`.
    case duration
    /// A size such as `10GB`.
    case size
    /// A rate, or rates by the time of day.
    case timetable
    /// A text in which `*` stands for any characters.
    case glob
    /// A session's identifier, in which `*` stands for any characters.
    case session
    /// A host, `host:port`, `*.domain` or `*`.
    case origin

    /// The most bytes of such a text.
    var lengthAtMost: Int {
        switch self {
        case .name, .word, .glob, .session: 128
        case .zone, .duration, .size: 64
        case .window, .requirement, .preference: 256
        case .origin: 260
        case .timetable: 8192
        }
    }

    /// A description for the author of a document.
    var phrase: String {
        switch self {
        case .name: "a text of 1 to 128 bytes"
        case .word: "a name of letters, digits, _, - and ."
        case .zone: "an IANA time zone name, for example \"Europe/Berlin\""
        case .window: "hours such as \"Mon-Fri 22:00-06:00\""
        case .requirement:
            "a requirement such as \"window night\" or \"load_per_core < 0.7 for 60s\""
        case .preference: "a preference such as \"least power_price\""
        case .duration: "a duration such as \"90s\", \"15m\" or \"2h\""
        case .size: "a number of bytes such as \"512MiB\", \"10GB\" or \"20TB\""
        case .timetable: "a timetable such as \"10M\" or \"08:00,10M 18:00,off\""
        case .glob: "a text in which * stands for any characters"
        case .session: "a session's identifier, in which * stands for any characters"
        case .origin:
            "a host such as files.example.com, *.example.com, files.example.com:8443 or *"
        }
    }

    /// A regular expression for schemas; nil where none describes the form well.
    var pattern: String? {
        switch self {
        case .word: "^[A-Za-z_][A-Za-z0-9_.-]*$"
        case .duration: "^([0-9]+(d|h|m|s|ms))+$"
        case .size: "^[0-9]+(\\.[0-9]+)?[A-Za-z]*$"
        case .preference: "^(least|most) \\S+$"
        default: nil
        }
    }

    /// The error of a text that does not have the form; nil if it has.
    ///
    /// The names in a requirement are checked with the whole document.
    func complaint(_ text: String) -> String? {
        guard !text.isEmpty, text.utf8.count <= lengthAtMost else {
            return text.isEmpty
                ? "must be \(phrase), but is empty"
                : "must have at most \(lengthAtMost) bytes, but has \(text.utf8.count)"
        }
        switch self {
        case .name, .zone, .glob, .requirement, .preference: return nil
        case .session:
            let isPattern = text.utf8.allSatisfy {
                ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || "._-*".utf8.contains($0)
            }
            return isPattern ? nil : "must be \(phrase)"
        case .word: return TextForm.isWord(text) ? nil : "must be \(phrase)"
        case .origin:
            return text == "*" || Bandwidth.isHost(text) ? nil : "is not \(phrase)"
        case .window:
            return said { () throws(WindowError) in _ = try TimeWindow(parsing: text) }
        case .duration:
            return said { () throws(QuantityError) in _ = try DurationText.parse(text) }
        case .size: return said { () throws(QuantityError) in _ = try ByteCount.parse(text) }
        case .timetable:
            return said { () throws(TimetableError) in _ = try Timetable(parsing: text) }
        }
    }

    private func said<Failure: CustomStringConvertible>(
        _ read: () throws(Failure) -> Void
    ) -> String? {
        do throws(Failure) {
            try read()
            return nil
        } catch {
            return error.description
        }
    }

    /// Whether a text is the name of a window or a condition.
    static func isWord(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) || first == UInt8(ascii: "_") else {
            return false
        }
        return text.utf8.allSatisfy { isLetter($0) || $0 &- 0x30 < 10 || "_-.".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
}
