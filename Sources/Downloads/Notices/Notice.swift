// A message to people about an event: what happened, why, and where to look.
internal import Base

/// The text of a message, without the marks of any format.
///
/// Title and reason are single lines without control characters, and bounded, so that every format
/// has room for them.
package struct Notice: Equatable, Sendable {
    /// The most bytes of a title.
    static let titleAtMost = 150
    /// The most bytes of a reason.
    static let reasonAtMost = 500
    /// The most bytes of a link; a longer one is left out.
    static let linkAtMost = 500

    /// What happened, with the name of what it happened to.
    package let title: String
    /// Why, or what follows from it; nil if the title says all.
    package let reason: String?
    /// Where to look; nil if the service does not know its own address.
    package let link: String?
    /// The number of other events that this message only counts.
    package let others: Int

    /// Creates a message from texts that may come from anywhere.
    ///
    /// - Parameters:
    ///   - title: what happened.
    ///   - reason: why; nil or empty for nothing.
    ///   - link: where to look; nil for nothing.
    ///   - others: the number of other events, 0 or more.
    package init(title: String, reason: String?, link: String?, others: Int = 0) {
        self.title = Notice.line(title).cut(to: Notice.titleAtMost)
        let line = reason.map(Notice.line) ?? ""
        self.reason = line.isEmpty ? nil : line.cut(to: Notice.reasonAtMost)
        self.link = link.flatMap { $0.utf8.count <= Notice.linkAtMost ? $0 : nil }
        self.others = others
    }

    /// The sentence about the events that are only counted; nil for none.
    package var rest: String? { others > 0 ? "and \(others) more" : nil }

    /// The lines below the title: reason, what is only counted, link.
    package var lines: [String] { [reason, rest, link].compactMap { $0 } }

    /// A text in one line: each control character, and each mark that turns the direction of
    /// writing, is a space, and spaces are single.
    private static func line(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        var hasGap = false
        for scalar in text.unicodeScalars {
            guard !isGap(scalar) else {
                hasGap = true
                continue
            }
            if hasGap, !line.isEmpty { line.append(" ") }
            hasGap = false
            line.append(scalar)
        }
        return String(line)
    }

    private static func isGap(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x20, 0x7f...0xa0, 0x2028, 0x2029, 0x200b, 0x200e, 0x200f, 0x202a...0x202e,
            0x2060...0x206f, 0xfeff:
            true
        default: false
        }
    }
}
