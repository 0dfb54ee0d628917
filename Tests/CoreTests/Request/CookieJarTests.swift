// Cookies of one attempt: kept by RFC 6265, sent to the origin that set them.
import Base
import Downloads
import Testing

@Suite struct CookieJarTests {
    private static let now = Timestamp(seconds: 1_790_000_000)

    private func jar(_ fields: [String], from url: String) throws -> CookieJar {
        var jar = CookieJar()
        let url = try SourceURL(parsing: url)
        for field in fields { jar.take(FieldValue(field), from: url, at: Self.now) }
        return jar
    }

    private func sent(
        _ fields: [String], from: String = "http://a.test/x/y", to: String = "http://a.test/x/z",
        given: String? = nil
    ) throws -> String? {
        try jar(fields, from: from)
            .field(with: given, to: try SourceURL(parsing: to), at: Self.now)?.text
    }

    @Test(arguments: [
        ("a=1", "a=1"), ("a=1; HttpOnly; SameSite=Strict", "a=1"), (" a = 1 2 ;", "a=1 2"),
        ("a=\"1\"", "a=\"1\""), ("a=b=c", "a=b=c"), ("a=", "a="), ("=1", nil), ("a", nil),
        ("", nil), ("a=1\u{1}", nil), ("a=1; Path=/x", "a=1"), ("a=1; Path=/x/", "a=1"),
        ("a=1; Path=/", "a=1"), ("a=1; Path=/x/z", "a=1"), ("a=1; Path=/y", nil),
        ("a=1; Path=/x/zz", nil), ("a=1; path", "a=1"), ("a=1; Path=y", "a=1"),
        ("a=1; Domain=a.test", "a=1"), ("a=1; Domain=.A.Test", "a=1"), ("a=1; Domain=", "a=1"),
        ("a=1; Domain=test", "a=1"), ("a=1; Domain=b.test", nil), ("a=1; Domain=xa.test", nil),
        ("a=1; Domain=www.a.test", nil), ("a=1; Secure", nil), ("a=1; Max-Age=1", "a=1"),
        ("a=1; Max-Age=0", nil), ("a=1; Max-Age=-5", nil), ("a=1; Max-Age=x", "a=1"),
        ("a=1; Max-Age=99999999999999999999", "a=1"),
        ("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", nil),
        ("a=1; Expires=Thu, 01-Jan-2037 00:00:00 GMT", "a=1"),
        ("a=1; Expires=Thursday, 01-Jan-98 00:00:00 GMT", nil),
        ("a=1; Expires=Fri Jan 1 9:5:07 2038", "a=1"), ("a=1; Expires=yesterday", "a=1"),
        ("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=60", "a=1"),
        ("a=1; Max-Age=0; Expires=Thu, 01 Jan 2037 00:00:00 GMT", nil),
    ])
    func oneIsSentAsItsAttributesSay(_ field: String, _ expected: String?) throws {
        #expect(try sent([field]) == expected)
    }

    /// Scheme, host and port make an origin; a missing port means the scheme's usual one.
    @Test(arguments: [
        ("http://a.test/", "http://a.test/", true), ("http://a.test/", "https://a.test/", true),
        ("https://a.test/", "http://a.test/", true),
        ("http://a.test:8080/", "http://a.test:8080/", true),
        ("http://a.test:8080/", "http://a.test/", false),
        ("http://a.test/", "http://a.test:8080/", false),
        ("http://a.test/", "http://www.a.test/", false),
        ("http://www.a.test/", "http://a.test/", false),
        ("https://a.test:8443/", "http://a.test:8443/", false),
        ("http://127.0.0.1:1/", "http://127.0.0.1:2/", false),
    ])
    func anotherOriginGetsNone(_ from: String, _ to: String, _ isSent: Bool) throws {
        for domain in ["", "; Domain=a.test"] where !domain.isEmpty == from.contains("a.test") {
            #expect((try sent(["a=1; Path=/" + domain], from: from, to: to) != nil) == isSent)
        }
    }

    @Test func aSecureOneGoesOverTLSAlone() throws {
        let field = ["a=1; Secure; Path=/"]
        #expect(try sent(field, from: "https://a.test/", to: "https://a.test/") == "a=1")
        #expect(try sent(field, from: "https://a.test/", to: "http://a.test/") == nil)
    }

    @Test func theDefaultPathIsTheFolder() throws {
        let places = [
            ("http://a.test/x/y?q=/z", "/x/other", true), ("http://a.test/x/y", "/x", true),
            ("http://a.test/x/y", "/xx", false), ("http://a.test/x", "/anything", true),
        ]
        for (from, to, isSent) in places {
            #expect((try sent(["a=1"], from: from, to: "http://a.test" + to) != nil) == isSent)
        }
    }

    @Test func theClientsPairsComeFirstAndASetOneOfTheSameNameWins() throws {
        let given = "b=2;a=0 ; c=\"3\"; x"
        #expect(try sent(["a=1", "d=4"], given: given) == "b=2; c=\"3\"; x; a=1; d=4")
        #expect(try sent([], given: given) == nil, "the client's field holds as it is")
        #expect(try sent(["a=1; Path=/other"], given: given) == nil)
        #expect(try sent(["a=1"], given: "A=0") == "A=0; a=1")
    }

    @Test func aLaterOneReplacesAnEarlierOneOfItsNameAndPath() throws {
        #expect(try sent(["a=1", "b=2", "a=3"]) == "a=3; b=2")
        #expect(try sent(["a=1; Path=/", "a=2"]) == "a=2; a=1", "the longer path comes first")
        #expect(try sent(["a=1", "b=2", "a=; Max-Age=0"]) == "b=2")
    }

    @Test func atMostFiftyAreKeptAndTheOldestGoes() throws {
        let pairs = (0..<60).map { "n\($0)=\($0)" }
        #expect(try sent(pairs) == pairs.dropFirst(10).joined(separator: "; "))
        let long = "a=" + String(repeating: "x", count: 4096)
        #expect(try sent([long]) == nil)
    }

    @Test func oneThatIsOverIsNotSent() throws {
        let jar = try jar(["a=1; Max-Age=60"], from: "http://a.test/")
        let url = try SourceURL(parsing: "http://a.test/")
        #expect(jar.field(with: nil, to: url, at: Self.now + .seconds(59)) != nil)
        #expect(jar.field(with: nil, to: url, at: Self.now + .seconds(60)) == nil)
    }

    @Test func bytesComeBackAsTheyWere() throws {
        var jar = CookieJar()
        let url = try SourceURL(parsing: "http://a.test/")
        for byte in UInt8(0x21)...0xff where byte != 0x7f && byte != UInt8(ascii: ";") {
            let pair = Array("a=x".utf8) + [byte]
            jar.take(FieldValue(bytes: pair), from: url, at: Self.now)
            #expect(jar.field(with: nil, to: url, at: Self.now)?.bytes == pair)
        }
    }
}
