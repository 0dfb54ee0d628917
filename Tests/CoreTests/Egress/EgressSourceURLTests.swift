// URLs: one strict reading, and the bypass vectors of the SSRF table.
import Base
import Testing

@Suite struct EgressSourceURLTests {
    private func reason(_ text: String) -> SourceURLError.Reason? {
        do throws(SourceURLError) {
            _ = try SourceURL(parsing: text)
            return nil
        } catch {
            #expect(!error.description.isEmpty)
            return error.reason
        }
    }

    @Test(arguments: [
        ("http://example.com", "http://example.com/"),
        ("HTTP://Example.COM:80/A?b=C#frag", "http://example.com/A?b=C"),
        ("https://example.com:443", "https://example.com/"),
        ("https://example.com:8443/x", "https://example.com:8443/x"),
        ("http://example.com?q", "http://example.com/?q"),
        ("http://example.com#f", "http://example.com/"),
        ("http://example.com/a/./b/../c", "http://example.com/a/c"),
        ("http://example.com/../..", "http://example.com/"),
        ("http://example.com/a/..", "http://example.com/"),
        ("http://example.com/.hidden/..x", "http://example.com/.hidden/..x"),
        ("http://example.com//a//b", "http://example.com//a//b"),
        ("http://example.com/a?x=/../b", "http://example.com/a?x=/../b"),
        ("http://example.com/caf\u{e9}?\u{1f4a9}", "http://example.com/caf%C3%A9?%F0%9F%92%A9"),
        ("http://example.com/%7Euser%2fx", "http://example.com/%7Euser%2fx"),
        ("http://example.com./", "http://example.com/"),
        ("http://a_b.example/", "http://a_b.example/"),
        ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
        ("http://[2001:DB8:0::1]/", "http://[2001:db8::1]/"),
        ("http://ok.test:00080/", "http://ok.test/"),
        ("http://127.0.0.1#@ok.test/", "http://127.0.0.1/"),
    ]) func urlIsReadOnce(text: String, canonical: String) throws {
        let url = try SourceURL(parsing: text)
        #expect(url.description == canonical)
        #expect(try SourceURL(parsing: canonical) == url)
    }

    @Test(arguments: [
        ("http://127.0.0.1/", "127.0.0.1"), ("http://127.1/", "127.0.0.1"),
        ("http://2130706433/", "127.0.0.1"), ("http://0x7f000001/", "127.0.0.1"),
        ("http://0x7f.1/", "127.0.0.1"), ("http://0177.0.0.1/", "127.0.0.1"),
        ("http://127.0.0.1./", "127.0.0.1"), ("http://0/", "0.0.0.0"),
        ("http://0.0.0.0/", "0.0.0.0"), ("http://[::1]/", "::1"), ("http://[::]/", "::"),
        ("http://0X7F.0.0.1/", "127.0.0.1"), ("http://017700000001/", "127.0.0.1"),
        ("http://4294967295/", "255.255.255.255"), ("http://1.256/", "1.0.1.0"),
        ("http://[::ffff:127.0.0.1]/", "::ffff:127.0.0.1"),
        ("http://0x/", "0.0.0.0"), ("HTTP://127.0.0.1/", "127.0.0.1"),
    ]) func numericHostIsAnAddress(text: String, address: String) throws {
        let url = try SourceURL(parsing: text)
        #expect(url.isLiteralAddress)
        #expect(url.address == IPAddress(address))
        #expect(url.host == address)
        #expect(
            Destinations.publicOnly.judge(
                try #require(url.address), port: url.port, host: url.host) != .allowed
                || address == "1.0.1.0")
    }

    @Test(arguments: [
        ("file:///etc/passwd", SourceURLError.Reason.unsupportedScheme),
        ("gopher://h/", .unsupportedScheme), ("dict://h/", .unsupportedScheme),
        ("ftp://h/", .unsupportedScheme), ("ldap://h/", .unsupportedScheme),
        ("smb://h/", .unsupportedScheme), ("tftp://h/", .unsupportedScheme),
        ("ws://h/", .unsupportedScheme), ("data:,x", .unsupportedScheme),
        ("127.0.0.1/", .unsupportedScheme), ("//127.0.0.1/", .unsupportedScheme),
        ("", .unsupportedScheme), ("/x", .unsupportedScheme), ("://h/", .unsupportedScheme),
        ("http:/127.0.0.1/", .malformed), ("http:///127.0.0.1/", .malformed),
        ("http:127.0.0.1", .malformed), ("http://", .invalidHost), ("http://?x", .invalidHost),
        ("http://:80/", .invalidHost), ("http://./", .invalidHost), ("http://a..b/", .invalidHost),
        ("http://%31%32%37.0.0.1/", .invalidHost), ("http://127.0.0.1%00.ok.test/", .invalidHost),
        ("http://ok.test\\@127.0.0.1/", .invalidCharacter),
        ("http://ok.test@127.0.0.1/", .userinfo), ("http://127.0.0.1:80@ok.test/", .userinfo),
        ("http://u:p@ok.test/", .userinfo), ("http://@ok.test/", .userinfo),
        ("http://\u{ff11}\u{ff12}\u{ff17}.0.0.1/", .hostNotASCII),
        ("http://127\u{3002}0\u{3002}0\u{3002}1/", .hostNotASCII),
        ("http://b\u{fc}cher.example/", .hostNotASCII), ("http://\u{2460}27.0.0.1/", .hostNotASCII),
        ("http://[ok.test]/", .invalidHost), ("http://[127.0.0.1]/", .invalidHost),
        ("http://[::1/", .invalidHost), ("http://[fe80::1%25lo]/", .invalidHost),
        ("http://[fe80::1%lo]/", .invalidHost), ("http://[v1.x]/", .invalidHost),
        ("http://[::1]x/", .invalidPort), ("http://::1/", .invalidHost),
        ("http://ok.test:99999/", .invalidPort), ("http://ok.test:0/", .invalidPort),
        ("http://ok.test:-1/", .invalidPort), ("http://ok.test:/", .invalidPort),
        ("http://ok.test: 80/", .invalidCharacter), ("http://ok.test:8a/", .invalidPort),
        ("http://ok.test:000080/", .invalidPort), ("http://ok.test:80:80/", .invalidPort),
        ("http://4294967296/", .invalidHost), ("http://127.0.0.256/", .invalidHost),
        ("http://1.2.3.4.5/", .invalidHost), ("http://08.0.0.1/", .invalidHost),
        ("http://ok.0x7f/", .invalidHost), ("http://1.2.3.08/", .invalidHost),
        ("http://ok.test/a b", .invalidCharacter), ("http://ok.test/\t", .invalidCharacter),
        ("http://ok.test/\r\nX: y", .invalidCharacter),
        ("http://ok.test/\u{7f}", .invalidCharacter),
        ("http://ok.test/\u{0}", .invalidCharacter), (" http://ok.test/", .invalidCharacter),
        ("http://ok.test/\\x", .invalidCharacter), ("http://-a.test/", .invalidHost),
        ("http://a,b/", .invalidHost), ("http://a'b/", .invalidHost),
    ]) func ambiguousURLIsRefused(text: String, expected: SourceURLError.Reason) {
        #expect(reason(text) == expected)
    }

    @Test func lengthsAreBounded() {
        let room = SourceURL.bytesMax - "http://h.test/".utf8.count
        #expect(reason("http://h.test/" + String(repeating: "a", count: room)) == nil)
        #expect(reason("http://h.test/" + String(repeating: "a", count: room + 1)) == .tooLong)
        let label = String(repeating: "a", count: 63)
        #expect(reason("http://\(label).test/") == nil)
        #expect(reason("http://a\(label).test/") == .invalidHost)
        let host = [label, label, label, String(repeating: "a", count: 61)].joined(separator: ".")
        #expect(host.utf8.count == 253)
        #expect(reason("http://\(host)/") == nil)
        #expect(reason("http://\(host)a/") == .invalidHost)
    }

    @Test func originAlwaysNamesThePort() throws {
        #expect(try SourceURL(parsing: "https://A.example/x").origin == "https://a.example:443")
        #expect(try SourceURL(parsing: "http://[::1]/").origin == "http://[::1]:80")
        let one = try SourceURL(parsing: "http://a.example/1")
        #expect(one.hasSameOrigin(as: try SourceURL(parsing: "http://A.example:80/2")))
        #expect(!one.hasSameOrigin(as: try SourceURL(parsing: "https://a.example/1")))
        #expect(!one.hasSameOrigin(as: try SourceURL(parsing: "http://a.example:81/1")))
    }

    @Test(arguments: [
        ("g", "http://a.test/b/c/g"), ("./g", "http://a.test/b/c/g"),
        ("g/", "http://a.test/b/c/g/"),
        ("/g", "http://a.test/g"), ("//g.test", "http://g.test/"),
        ("?y", "http://a.test/b/c/d;p?y"),
        ("g?y", "http://a.test/b/c/g?y"), ("#s", "http://a.test/b/c/d;p?q"),
        ("", "http://a.test/b/c/d;p?q"), (";x", "http://a.test/b/c/;x"),
        (".", "http://a.test/b/c/"),
        ("..", "http://a.test/b/"), ("../g", "http://a.test/b/g"), ("../../..", "http://a.test/"),
        ("../../../../g", "http://a.test/g"), ("g?y/./x", "http://a.test/b/c/g?y/./x"),
        ("https://o.test/z z", "https://o.test/z%20z"),
        ("g?u=http://x/", "http://a.test/b/c/g?u=http://x/"),
    ]) func redirectIsResolved(reference: String, expected: String) throws {
        let base = try SourceURL(parsing: "http://a.test/b/c/d;p?q")
        #expect(try base.resolving(FieldValue(reference)).description == expected)
    }

    @Test(arguments: [
        ("file:///etc/passwd", SourceURLError.Reason.unsupportedScheme),
        ("javascript:alert(1)", .unsupportedScheme), ("http:/x", .malformed),
        ("//u@h.test/", .userinfo), ("///x", .malformed), ("/a\r\nb", .invalidCharacter),
        ("/a\u{0}", .invalidCharacter), ("\\\\h.test", .invalidCharacter),
        ("//h\u{e9}.test/", .hostNotASCII),
    ]) func badRedirectIsRefused(reference: String, expected: SourceURLError.Reason) throws {
        let base = try SourceURL(parsing: "https://a.test/")
        #expect(throws: SourceURLError.self) { try base.resolving(FieldValue(reference)) }
        do throws(SourceURLError) { _ = try base.resolving(FieldValue(reference)) } catch {
            #expect(error.reason == expected)
        }
        let long = String(repeating: "a", count: SourceURL.bytesMax + 1)
        #expect(throws: SourceURLError.self) { try base.resolving(FieldValue(long)) }
    }
}
