// The URL of the operator's server of mail.
import Testing

@testable import Transfers

@Suite struct MailServerTests {
    private struct Row: Sendable {
        let text: String
        let url: String
        let user: String?
        let password: String?
        let needsTLS: Bool

        init(
            _ text: String, _ url: String, _ user: String? = nil, _ password: String? = nil,
            tls: Bool
        ) {
            (self.text, self.url, self.user, self.password) = (text, url, user, password)
            needsTLS = tls
        }
    }

    private static let rows = [
        Row("smtp://mail.example", "smtp://mail.example:587", tls: false),
        Row("SMTP://mail.example:25/", "smtp://mail.example:25", tls: false),
        Row("smtps://mail.example", "smtps://mail.example:465", tls: true),
        Row("smtps://[2001:db8::1]", "smtps://[2001:db8::1]:465", tls: true),
        Row("smtp://[2001:db8::1]:26", "smtp://[2001:db8::1]:26", tls: false),
        Row("smtp://u:p@mail.example", "smtp://mail.example:587", "u", "p", tls: true),
        Row("smtp://u:p@localhost:25", "smtp://localhost:25", "u", "p", tls: false),
        Row("smtp://u:p@127.0.0.1:25", "smtp://127.0.0.1:25", "u", "p", tls: false),
        Row("smtp://u:p@127.example:25", "smtp://127.example:25", "u", "p", tls: true),
        Row(
            "smtps://a%40b.example:p%3A%25%C3%BC:x@mail.example", "smtps://mail.example:465",
            "a@b.example", "p:%ü:x", tls: true),
        Row("smtps://u:@mail.example", "smtps://mail.example:465", "u", "", tls: true),
    ]

    @Test func aURLHasAHostAndPerhapsCredentialsThatNeedTLS() throws {
        for row in MailServerTests.rows {
            let server = try #require(MailServer(row.text), "\(row.text)")
            #expect(server.url == row.url)
            #expect(server.user == row.user && server.password == row.password)
            #expect(server.needsTLS == row.needsTLS)
        }
    }

    @Test func anythingElseIsRefused() {
        for text in [
            "", "mail.example", "http://mail.example", "smtp:mail.example", "smtp://",
            "smtp://u@mail.example", "smtp://:p@mail.example", "smtp://u:p@x@mail.example",
            "smtp://mail.example/path", "smtp://mail.example?x", "smtp://mail.example:0",
            "smtp://mail.example:70000", "smtp://mail.example:x", "smtp://mail example",
            "smtp://u:%zz@mail.example", "smtp://u:%0d%0a@mail.example",
            "smtp://u:%ff@mail.example",
            "smtp://u:%4@mail.example",
        ] { #expect(MailServer(text) == nil, "\(text)") }
    }
}
