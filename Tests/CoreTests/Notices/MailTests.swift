// Mail to people: addresses, and the bytes of a message.
import Base
import Downloads
import Testing

@Suite struct MailTests {
    @Test func anAddressIsPlainASCIIWithoutAnythingThatAHeaderOrACommandWouldRead() {
        let good = [
            "a@b", "night@example.org", "a.b+c_d@x-1.example.org", "o'neil@example.org",
            "A@EXAMPLE.ORG", "a@" + String(repeating: "b", count: 63) + ".example",
        ]
        for text in good { #expect(MailAddress(text)?.text == text) }
        let bad = [
            "", "a", "@b", "a@", "a@b@c", "a b@c.example", "a@b c", ".a@b", "a.@b", "a..b@c",
            "a@-b", "a@b-", "a@b..c", "a@.b", "a@b.", "<a@b>", "a@b>", "\"a\"@b", "a\r\nTo: x@y",
            "a@b\r\nRCPT TO:<c@d>", "a@b\n", "a@b\0", "ü@b.example", "a@ü.example", "a,b@c",
            "a;b@c",
            "a@b,c@d", "a(b)@c", "a@[127.0.0.1]", "a\\b@c", "a@b_c",
            String(repeating: "a", count: 65) + "@b", "a@" + String(repeating: "b", count: 64),
            "a@" + String(repeating: "b.", count: 127) + "c",
        ]
        for text in bad { #expect(MailAddress(text) == nil, "\(text)") }
    }

    @Test func aMailtoURLHasOneAddressAndNothingElse() {
        #expect(MailAddress(url: "mailto:a@b.example")?.text == "a@b.example")
        #expect(MailAddress(url: "MailTo:a@b.example")?.text == "a@b.example")
        for url in [
            "a@b.example", "mailto:", "mailto:a@b.example?subject=x", "mailto:a@b.example,c@d",
            "mailto:a%40b.example", "mailto://a@b.example", "https://a@b.example",
        ] { #expect(MailAddress(url: url) == nil, "\(url)") }
    }

    private static func mail(_ notice: Notice) throws -> MailMessage {
        MailMessage(
            from: try #require(MailAddress("lull@example.org")),
            to: try #require(MailAddress("night@example.net")), notice: notice, id: "whd_1",
            date: Timestamp(seconds: 784_111_777))
    }

    @Test func aMailHasItsHeadersAndItsText() throws {
        let notice = Notice(
            title: "Failed: a", reason: "why", link: "https://l.example/x", others: 2)
        let text = String(decoding: try MailTests.mail(notice).bytes, as: UTF8.self)
        let body = Base64.encode(
            Array("Failed: a\r\nwhy\r\nand 2 more\r\nhttps://l.example/x\r\n".utf8))
        #expect(
            text
                == [
                    "From: Lull <lull@example.org>", "To: <night@example.net>",
                    "Subject: Failed: a", "Date: Sun, 06 Nov 1994 08:49:37 +0000",
                    "Message-ID: <whd_1@example.org>", "MIME-Version: 1.0",
                    "Content-Type: text/plain; charset=utf-8",
                    "Content-Transfer-Encoding: base64", "Auto-Submitted: auto-generated", "",
                    body, "",
                ].joined(separator: "\r\n"))
    }

    @Test func noTextOfASubjectMakesAHeaderOrALongLine() throws {
        for title in [
            "a\r\nBcc: x@y", "a\nb", "a\rb", "=?UTF-8?B?eA==?=", "ü",
            String(repeating: "ü€🚀", count: 90),
            String(repeating: "x", count: 900), "\u{0}\u{85}\u{2028}",
        ] {
            let notice = Notice(title: title, reason: title, link: nil)
            let bytes = try MailTests.mail(notice).bytes
            #expect(bytes.allSatisfy { $0 < 0x80 })
            let lines = String(decoding: bytes, as: UTF8.self).split(
                separator: "\r\n", omittingEmptySubsequences: false)
            #expect(lines.allSatisfy { $0.utf8.count <= 200 && !$0.contains("\n") })
            let head = lines.prefix { !$0.isEmpty }
            let names = head.filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
            #expect(
                names == [
                    "From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type",
                    "Content-Transfer-Encoding", "Auto-Submitted",
                ])
        }
    }
}
