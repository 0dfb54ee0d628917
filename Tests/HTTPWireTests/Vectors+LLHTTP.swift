// The strict request cases of llhttp's tests, with Lull's verdicts.
//
// The cases (test/request: invalid, transfer-encoding, content-length, connection, uri, method,
// sample) are written here in the notation of the vectors. Every request has a Host, which llhttp
// does not ask for, so that each is judged by its own fault. A comment gives the reason for a
// different verdict.

extension Vector {
    static let llhttp: [Vector] = invalid + codingsOfLLHTTP + lengthsOfLLHTTP + connections + uris

    private static let invalid: [Vector] = [
        refused(201, "GET /music/sweet/music ICE/1.0¶" + host + "¶"),
        refused(201, "GET /music/sweet/music IHTTP/1.0¶" + host + "¶"),
        refused(201, "PUT /music/sweet/music RTSP/1.0¶" + host + "¶"),
        refused(201, "ANNOUNCE /music/sweet/music HTTP/1.0¶" + host + "¶", 501),
        refused(202, getHost + "Foo: 1␍Bar: 2¶¶"),
        refused(202, postHost + "x:x␊" + chunked + "¶1¶A¶0¶¶"),
        refused(202, postHost + "x:␍" + chunked + "¶1¶A¶0¶¶"),
        refused(202, postHost + "x:␊" + chunked + "¶1¶A¶0¶¶"),
        refused(203, getHost + "Connection: close¶␍ZGET /evil: HTTP/1.1¶" + host + "¶"),
        refused(204, getHost + "Fo@: Failure¶¶"), refused(204, getHost + "Foo«01»test: Bar¶¶"),
        refused(204, getHost + ": Bar¶¶"), refused(204, getHost + "name¶ : value¶¶"),
        refused(205, "MKCOLA / HTTP/1.1¶" + host + "¶", 501),
        refused(206, getHost + "Connection␍«1b»«35»«d5»eep-Alive¶Accept-Encoding: gzip¶¶"),
        refused(206, getHost + "X-Some-Header␍«1b»«35»«d5»eep-Alive¶X: y¶¶"),
        refused(
            207,
            getHost + "Dummy: x␊Content-Length: 23¶¶" + get + "Dummy: GET /admin HTTP/1.1¶" + host
                + "¶"),
        refused(208, "GET / HTTP/5.6¶" + host + "¶", 505),
        refused(209, get + " Host: foo¶¶"),
        refused(210, "POST / HTTP/1.1␊Host: a␊Transfer-Encoding: chunked␊␊1␊A␊0␊␊"),
        refused(211, postHost + "Foo: bar¶ Content-Length: 38¶¶" + whole),
        refused(212, getHost + "Line1:   abc¶␉def¶ ghi¶¶"),
        refused(212, getHost + "Line4: ¶ ¶Connection:¶ close¶¶"),
    ]

    private static let codingsOfLLHTTP: [Vector] = [
        refused(221, postHost + "Transfer-Encoding:¶Content-Length: 5¶¶hello"),
        refused(
            221,
            postHost + "Content-Length: 10¶" + String(repeating: "Transfer-Encoding:¶", count: 3)
                + "¶2¶AA¶0¶"),
        waits(222, postHost + chunked + "¶"),
        served(223, postHost + chunked + "¶a¶0123456789¶0¶¶"),
        served(223, postHost + chunked + "¶A¶0123456789¶0¶¶"),
        served(
            223, postHost + chunked + "¶1e¶all your base are belong to us¶0¶¶",
            last: "POST /echo - a http11 keeps Host=a&Transfer-Encoding=chunked "
                + "all your base are belong to us"),
        served(223, postHost + chunked + "¶5¶hello¶6¶ world¶000¶¶"),
        served(224, postHost + chunked + "¶5¶hello¶0¶Vary: *¶Content-Type: text/plain¶¶"),
        served(
            225,
            postHost + chunked + "¶5;ilovew3;somuchlove=aretheseparametersfor;another=withvalue"
                + "¶hello¶6;blahblah;blah¶ world¶0¶¶"),
        served(
            225,
            postHost + chunked
                + #"¶5;ilovew3="I \"love\"; \\extensions\\";a="b";blah;foo=bar¶hello¶0¶¶"#),
        refused(226, postHost + chunked + "¶2 erfrferferf¶aa¶0 rrrr¶¶"),
        refused(226, postHost + chunked + "¶2;¶aa¶0¶¶"),
        refused(226, postHost + chunked + "¶5;a=\"abc\";b=\"def; ghi¶hello¶0¶¶"),
        refused(227, postHost + "Transfer-Encoding: pigeons¶¶", 501),
        // An unknown coding is reported before other faults.
        refused(228, postHost + "Transfer-Encoding: identity¶Content-Length: 5¶¶World", 501),
        refused(228, postHost + "Content-Length: 1¶Transfer-Encoding: identity¶¶x", 501),
        refused(228, postHost + "Content-Length: 1¶" + chunked + "¶1¶x¶0¶¶"),
        refused(229, postHost + "Transfer-Encoding: chunked, deflate¶¶5¶World¶0¶¶"),
        refused(229, postHost + chunked + "Transfer-Encoding: deflate¶¶5¶World¶0¶¶"),
        refused(229, postHost + "Transfer-Encoding: deflate, chunked¶¶5¶World¶0¶¶", 501),
        refused(230, postHost + chunked + "¶z¶World¶0¶¶"),
        refused(230, postHost + chunked + "¶5¶World␍␊␍␊0¶¶", 400),
    ]

    private static let lengthsOfLLHTTP: [Vector] = [
        // llhttp reads 003 as 3; a leading zero is ambiguous, so Lull refuses it.
        refused(241, postHost + "Content-Length: 003¶¶abc"),
        refused(241, postHost + "Content-Length: 003¶Ohai: world¶¶abc"),
        refused(242, postHost + "Content-Length: 1000000000000000000000¶¶"),
        refused(243, postHost + "Content-Length: 1¶Content-Length: 2¶¶"),
        served(244, "GET /hello HTTP/1.0¶conTENT-Length: 5¶¶HELLO"),
        served(245, postHost + "Content-Length:  42 ¶¶" + String(repeating: "x", count: 42)),
        refused(246, postHost + "Content-Length: 4 2¶¶"),
        refused(246, postHost + "Content-Length: 13 37¶¶"),
        refused(246, postHost + "Content-Length:¶¶"),
        refused(246, postHost + "Content␍Length: 3¶¶abc"),
    ]

    private static let connections: [Vector] = [
        served(261, getHost + "Connection: keep-alive¶¶" + getHost + "Connection: keep-alive¶¶", 2),
        served(
            262, postHost + "Content-Length: 4¶¶q=42¶" + whole, 2,
            last: "GET /healthz - a http11 keeps Host=a "),
        served(
            263, getHost + "Connection: close, token, upgrade, token, keep-alive¶¶",
            last: "GET /healthz - a http11 closes "
                + "Host=a&Connection=close, token, upgrade, token, keep-alive "),
        // Folding is refused (RFC 9112 section 5.2); llhttp unfolds it.
        refused(264, getHost + "Connection: Something,¶ Upgrade, ,Keep-Alive¶¶"),
        served(264, getHost + "Connection: Something, Upgrade, ,Keep-Alive¶¶"),
        // No connection is upgraded: the next bytes have to be a request.
        refused(
            265, getHost + "Connection: Upgrade¶Upgrade: ws¶¶Hot diggity dogg¶¶", 400, 501, after: 1
        ),
        served(266, postHost + "Connection: Upgrade¶Upgrade: HTTP/2.0¶Content-Length: 4¶¶abcd"),
    ]

    private static let uris: [Vector] = [
        // Quotation marks, bars, user names and fragments are no part of a target (RFC 3986);
        // llhttp passes them on.
        refused(281, "GET /with_\"lovely\"_quotes?foo=\"bar\" HTTP/1.1¶" + host + "¶"),
        refused(281, "GET /test.cgi?query=| HTTP/1.1¶" + host + "¶"),
        refused(281, "GET /forums/1/topics/2375?page=1#posts-17408 HTTP/1.1¶" + host + "¶"),
        refused(281, "GET http://a%12:b!&*$@hypnotoad.org:1234/toto HTTP/1.1¶" + host + "¶"),
        served(282, "GET /test.cgi?foo=bar?baz HTTP/1.1¶" + host + "¶"),
        served(
            283, "GET http://hypnotoad.org:1234?hail=all HTTP/1.1¶" + host + "¶",
            last: "GET / hail=all hypnotoad.org:1234 http11 keeps Host=a "),
        served(283, "GET http://hypnotoad.org?hail=all HTTP/1.1¶" + host + "¶"),
        served(283, "GET http://hypnotoad.org:1234 HTTP/1.1¶" + host + "¶"),
        refused(284, "GET /δt/pope?q=1 HTTP/1.1¶" + host + "¶"),
        refused(284, "GET /foo bar/ HTTP/1.1¶" + host + "¶"),
        refused(285, "CONNECT home_0.netscape.com:443 HTTP/1.0¶User-agent: a¶¶", 501),
        refused(285, "CONNECT foo.bar.com:443 HTTP/1.0¶Content-Length: 10¶¶blarfcicle", 501),
        served(286, "REPORT /test HTTP/1.1¶" + host + "¶"),
        served(286, "SEARCH / HTTP/1.1¶" + host + "¶"),
        served(286, "LINK / HTTP/1.1¶" + host + "¶"),
        served(286, "UNLINK / HTTP/1.1¶" + host + "¶"),
        // The method is not in IANA's registry.
        refused(287, "PURGE /file.txt HTTP/1.1¶" + host + "¶", 501),
        refused(287, "SOURCE /music HTTP/1.1¶" + host + "¶", 501),
        refused(287, "M-SEARCH * HTTP/1.1¶" + host + "¶", 501),
        refused(288, "GET /¶¶"), served(289, getHost + "Header2:␉ Value2¶¶"),
        served(289, getHost + "Header2: «ff»Value2¶¶"), served(289, getHost + "Test: D«c3»«bc»s¶¶"),
        // The authority must be a name here, and `=` is not among the characters of one.
        refused(289, get + "Host: 0.0.0.0=5000¶¶"), served(289, getHost + "aaaaaaa:++++++++++¶¶"),
    ]
}
