// Messages to people as the requests that each receiver takes.
internal import Base

/// The headers and the body of a POST that delivers a message.
package struct NoticeRequest: Equatable, Sendable {
    /// Names and values; no value has a line break.
    package let headers: [(name: String, value: String)]
    /// The body.
    package let body: [UInt8]

    /// The request of a format; nil for one that is not sent over HTTP as a message.
    ///
    /// - Parameters:
    ///   - notice: the message.
    ///   - format: one of a chat, or ntfy.
    package init?(_ notice: Notice, as format: NoticeFormat) {
        switch format {
        case .slack: self.init(json: NoticeRequest.slack(notice))
        case .discord: self.init(json: NoticeRequest.discord(notice))
        case .ntfy: self = NoticeRequest.ntfy(notice)
        case .standard, .email: return nil
        }
    }

    private init(headers: [(name: String, value: String)], body: [UInt8]) {
        self.headers = headers
        self.body = body
    }

    private init(json: JSONObject) {
        self.init(headers: [("Content-Type", "application/json")], body: json.serialized())
    }

    /// Requests with equal headers and bodies are equal.
    package static func == (left: NoticeRequest, right: NoticeRequest) -> Bool {
        left.body == right.body
            && left.headers.elementsEqual(right.headers) {
                $0.name == $1.name && $0.value == $1.value
            }
    }

    /// Slack: `&`, `<` and `>` begin its marks, among them `<!channel>`, and are escaped; the other
    /// marks are off.
    private static func slack(_ notice: Notice) -> JSONObject {
        func plain(_ text: String) -> String {
            var escaped = ""
            for character in text {
                switch character {
                case "&": escaped += "&amp;"
                case "<": escaped += "&lt;"
                case ">": escaped += "&gt;"
                default: escaped.append(character)
                }
            }
            return escaped
        }
        let lines = [notice.title, notice.reason, notice.rest].compactMap { $0.map(plain) }
        let link = notice.link.map { ["<\(plain($0))>"] } ?? []
        return [
            "text": .string((lines + link).joined(separator: "\n")), "mrkdwn": false,
            "unfurl_links": false, "unfurl_media": false,
        ]
    }

    /// A message for Discord: its formatting is escaped, nobody is mentioned, no link is previewed.
    private static func discord(_ notice: Notice) -> JSONObject {
        func plain(_ text: String) -> String {
            var escaped = ""
            for scalar in text.unicodeScalars {
                if discordMarks.contains(scalar) { escaped += "\\" }
                escaped.unicodeScalars.append(scalar)
            }
            return escaped
        }
        let lines = [notice.reason, notice.rest].compactMap { $0.map(plain) }
        let link = notice.link.map { ["<\($0)>"] } ?? []
        return [
            "content": .string(
                (["**\(plain(notice.title))**"] + lines + link).joined(separator: "\n")),
            "allowed_mentions": ["parse": []],
        ]
    }

    private static let discordMarks: Set<Unicode.Scalar> = [
        "\\", "*", "_", "~", "`", "|", ">", "<", "#", "-", "[", "]", "(", ")", "@", ":", "+",
    ]

    /// ntfy: title and link are headers, the rest is the text.
    private static func ntfy(_ notice: Notice) -> NoticeRequest {
        var headers = [
            (name: "Content-Type", value: "text/plain; charset=utf-8"),
            (name: "Title", value: EncodedWords.header(notice.title)),
        ]
        if let link = notice.link { headers.append((name: "Click", value: link)) }
        let text = [notice.reason ?? notice.title, notice.rest].compactMap { $0 }
        return NoticeRequest(headers: headers, body: Array(text.joined(separator: "\n").utf8))
    }
}
