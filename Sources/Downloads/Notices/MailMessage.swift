// A message to people as mail (RFC 5322).
package import Base

/// One mail: plain text in UTF-8, to one address.
package struct MailMessage: Equatable, Sendable {
    /// The sender.
    package let from: MailAddress
    /// The receiver.
    package let to: MailAddress
    /// The text of the message.
    package let notice: Notice
    /// The name of its delivery; mail programs know by it that a message came twice.
    package let id: String
    /// The time at which it is sent.
    package let date: Timestamp

    /// Creates a value with all its members.
    package init(
        from: MailAddress, to: MailAddress, notice: Notice, id: String, date: Timestamp
    ) {
        self.from = from
        self.to = to
        self.notice = notice
        self.id = id
        self.date = date
    }

    /// The message with its headers, in lines that end with CR LF.
    package var bytes: [UInt8] {
        let date = date.httpDate.replacing("GMT", with: "+0000")
        let head = [
            "From: Lull <\(from.text)>", "To: <\(to.text)>",
            "Subject: \(EncodedWords.header(notice.title, separator: "\r\n "))", "Date: \(date)",
            "Message-ID: <\(id)@\(from.domain)>", "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64",
            // No program answers it, such as one that tells of an absence (RFC 3834).
            "Auto-Submitted: auto-generated", "",
        ]
        let text = ([notice.title] + notice.lines).joined(separator: "\r\n") + "\r\n"
        return Array(
            (head + MailMessage.folded(Base64.encode(Array(text.utf8)))).joined(
                separator: "\r\n"
            ).utf8) + Array("\r\n".utf8)
    }

    /// Lines of 76 characters, as MIME allows at most.
    private static func folded(_ text: String) -> [String] {
        var lines: [String] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            lines.append(String(rest.prefix(76)))
            rest = rest.dropFirst(76)
        }
        return lines
    }
}
