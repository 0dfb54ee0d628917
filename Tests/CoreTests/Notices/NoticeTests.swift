// Messages to people: what they say about each event, and the request of each format.
import Base
import Downloads
import Testing

@Suite struct NoticeTests {
    private static let at = Timestamp(seconds: 1_795_309_200)
    private static let download = Identifier(
        high: 0x0198_c0a5_4bd0_7000, low: 0x8000_0000_0000_0001)
    private static let links = NoticeLinks(base: "https://lull.example/l", hasPage: true)

    private static func message(
        _ type: EventType, _ data: JSONObject, subject: Identifier = download,
        session: String? = nil
    ) -> WebhookMessage {
        WebhookMessage(
            event: Identifier(high: 1, low: 1), type: type, subject: subject, at: at,
            data: JSON.object(data).text, app: "a", session: session)
    }

    /// The members that messages about downloads speak of.
    private static let whole: JSONObject = [
        "id": .string(download.text),
        "url": "https://origin.example/iso/debian%20one.iso?key=secret",
        "content": ["length": 3_900_000_000],
    ]

    private static func whole(_ more: JSONObject) -> JSONObject {
        var object = whole
        for (name, value) in more.members { object[name] = value }
        return object
    }

    private static let source: JSONObject = [
        "id": "src_1", "identifier": "nightly list", "url": "https://origin.example/list.csv",
        "download": .string(download.text),
    ]

    private static func source(_ more: JSONObject) -> JSONObject {
        var object = source
        for (name, value) in more.members { object[name] = value }
        return object
    }

    private struct Row: Sendable {
        let message: WebhookMessage
        let title: String
        let reason: String?
        init(_ type: EventType, _ data: JSONObject, _ title: String, _ reason: String?) {
            message = NoticeTests.message(type, data)
            (self.title, self.reason) = (title, reason)
        }
    }

    private static let rows: [Row] = [
        Row(
            .succeeded, whole, "Downloaded: debian one.iso", "3.9GB from origin.example"),
        Row(
            .succeeded, whole(["unchanged": "not_modified"]), "Has not changed: debian one.iso",
            "3.9GB from origin.example"),
        Row(
            .succeeded, whole(["filename": "mine.iso", "content": nil]), "Downloaded: mine.iso", nil
        ),
        Row(
            .succeeded, whole(["task_description": "the weekly image"]),
            "Downloaded: the weekly image", "3.9GB from origin.example"),
        Row(
            .failed, whole(["error": ["code": "not_found", "detail": "the origin answered 404"]]),
            "Failed: debian one.iso", "not_found: the origin answered 404"),
        Row(.failed, whole(["error": nil]), "Failed: debian one.iso", nil),
        Row(.canceled, whole, "Canceled: debian one.iso", "somebody asked for it"),
        Row(
            .canceled, whole(["cancel_reason": "force_quit"]), "Canceled: debian one.iso",
            "its session was ended"),
        Row(
            .attentionRequired,
            whole(["error": ["code": "unauthorized", "detail": "the origin answered 401"]]),
            "Needs somebody: debian one.iso", "unauthorized: the origin answered 401"),
        Row(
            .deadlineAtRisk, whole(["complete_by": "2026-11-24T06:00:00.000Z"]),
            "Will probably be late: debian one.iso",
            "it was to be done by 2026-11-24T06:00:00.000Z"),
        Row(
            .contentExpiring, whole, "Content expiring: debian one.iso",
            "its file will soon be removed"),
        Row(
            .sourceChanged, source(["version": 3]), "New version: nightly list",
            "version 3 of list.csv from origin.example"),
        Row(
            .sourceFailing, source(["failures": 10, "reason": "not_found"]),
            "Needs somebody: nightly list", "10 failed looks in a row: not_found"),
        Row(
            .sourceSkipped, source(["reason": "overlap"]), "Passed over: nightly list",
            "because of overlap"),
        Row(.sourceUnchanged, source, "Has not changed: nightly list", "origin.example"),
        Row(.sessionDrained, ["identifier": "night"], "Drained: night", nil),
        Row(
            .endpointPing, ["id": "whe_1", "url": "https://hooks.example/x", "description": nil],
            "Lull reaches you", "This is a test."),
        Row(
            .endpointDisabled,
            ["id": "whe_1", "url": "https://hooks.example/secret", "disabled_reason": "gone"],
            "A receiver is disabled: hooks.example", "it answered 410"),
        Row(
            .endpointDisabled,
            ["id": "whe_1", "url": "mailto:a@b.example", "disabled_reason": "failing"],
            "A receiver is disabled: a@b.example", "it kept failing"),
        Row(
            .deliveryExhausted,
            ["id": "whd_1", "url": "https://hooks.example/x", "attempts": 10, "http_status": 500],
            "A webhook was given up: hooks.example",
            "nothing took it after 10 tries; the last answer was 500"),
        // An event of a download that was deleted has only its name.
        Row(.failed, ["id": .string(download.text)], "Failed: \(download.text)", nil),
    ]

    @Test func aMessageSaysWhatHappenedAndWhyAndNoSecretOfAURL() {
        for row in NoticeTests.rows {
            let notice = Notice(of: row.message, others: 0, links: NoticeTests.links)
            #expect(notice.title == row.title)
            #expect(notice.reason == row.reason, "\(row.title)")
            #expect(!"\(notice)".contains("secret"))
        }
    }

    @Test func everyEventHasATitleOfOneBoundedLine() {
        let long = String(repeating: "\u{202e}a\r\n<!channel> ü\u{2028}\0", count: 500)
        for type in EventType.allCases {
            for name in ["filename", "identifier", "description", "reason", "task_description"] {
                let data: JSONObject = [name: .string(long), "error": ["detail": .string(long)]]
                let notice = Notice(
                    of: NoticeTests.message(type, data), others: 3, links: NoticeTests.links)
                for line in [notice.title] + notice.lines {
                    #expect(!line.isEmpty && line.utf8.count <= 520)
                    #expect(
                        line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
                    )
                    #expect(!line.contains("\u{202e}") && !line.contains("\u{2028}"))
                }
            }
        }
    }

    @Test func linksLeadToThePageWhereThereIsOneAndElseToTheAPI() {
        let event = NoticeTests.message(.succeeded, NoticeTests.whole)
        let id = NoticeTests.download.text
        for (base, hasPage, link) in [
            ("https://l.example", true, "https://l.example/ui/download?id=\(id)"),
            ("https://l.example", false, "https://l.example/v1/downloads/\(id)"),
            ("", true, nil), ("", false, nil),
        ] as [(String, Bool, String?)] {
            let notice = Notice(
                of: event, others: 0, links: NoticeLinks(base: base, hasPage: hasPage))
            #expect(notice.link == link)
        }
        let other = NoticeTests.message(.sourceSkipped, ["identifier": "a b/c"])
        #expect(
            Notice(of: other, others: 0, links: NoticeTests.links).link
                == "https://lull.example/l/v1/sources/a%20b%2Fc")
    }

    /// Bodies as each receiver's documentation has them.
    private static let bodies: [(format: NoticeFormat, headers: [String], body: String)] = [
        (
            .slack, ["Content-Type: application/json"],
            #"{"text":"Failed: a &lt;!channel&gt; &amp; *b*\nwhy\nand 41 more\n"#
                + #"<https://lull.example/x>","mrkdwn":false,"unfurl_links":false,"#
                + #""unfurl_media":false}"#
        ),
        (
            .discord, ["Content-Type: application/json"],
            #"{"content":"**Failed\\: a \\<!channel\\> & \\*b\\***\nwhy\nand 41 more\n"#
                + #"<https://lull.example/x>","allowed_mentions":{"parse":[]}}"#
        ),
        (
            .ntfy,
            [
                "Content-Type: text/plain; charset=utf-8", "Title: Failed: a <!channel> & *b*",
                "Click: https://lull.example/x",
            ], "why\nand 41 more"
        ),
    ]

    @Test func eachFormatHasTheBodyThatItsReceiverTakes() throws {
        let notice = Notice(
            title: "Failed: a <!channel> & *b*", reason: "why", link: "https://lull.example/x",
            others: 41)
        for (format, headers, body) in NoticeTests.bodies {
            let request = try #require(NoticeRequest(notice, as: format))
            #expect(request.headers.map { "\($0.name): \($0.value)" } == headers)
            #expect(String(decoding: request.body, as: UTF8.self) == body)
        }
        #expect(NoticeRequest(notice, as: .standard) == nil)
        #expect(NoticeRequest(notice, as: .email) == nil)
    }

    @Test func aTextOfMarksStaysWithinTheLimitsOfEachReceiver() throws {
        for mark in ["*", "<", "&", "@", "ü", "🚀", "\\"] {
            let long = String(repeating: mark, count: 5000)
            let notice = Notice(
                title: long, reason: long,
                link: "https://l.example/" + String(repeating: "x", count: 480),
                others: .max)
            func text(_ format: NoticeFormat, _ member: String) throws -> String {
                let request = try #require(NoticeRequest(notice, as: format))
                return try #require(try JSON.parse(request.body)[member]?.stringValue)
            }
            #expect(try text(.discord, "content").utf16.count <= 2000)
            #expect(try text(.slack, "text").unicodeScalars.count <= 4000)
            let ntfy = try #require(NoticeRequest(notice, as: .ntfy))
            #expect(ntfy.body.count <= 4096)
            #expect(ntfy.headers.allSatisfy { $0.value.utf8.count <= 512 })
        }
    }
}
