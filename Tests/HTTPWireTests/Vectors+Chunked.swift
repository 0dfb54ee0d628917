// Rows 91 to 118: Transfer-Encoding and the chunked coding.

extension Vector {
    static let codings: [Vector] = [
        served(94, coding("Chunked"), last: body("Chunked", "hello")),
        served(94, coding("␉chunked"), last: body("chunked", "hello")),
        served(94, coding("chunked␠"), last: body("chunked", "hello")),
        refused(95, coding("gzip"), 501), refused(95, coding("identity"), 501),
        refused(95, coding("xchunked"), 501), refused(95, coding("chunkedchunked"), 501),
        refused(95, coding("nonsense"), 501),
        refused(96, coding("chunked, gzip")), refused(96, coding("gzip, chunked"), 501),
        refused(97, coding("chunked, chunked")),
        refused(97, postHost + chunked + chunked + "¶5¶hello¶0¶¶"),
        refused(97, postHost + chunked + "Transfer-Encoding: gzip¶¶5¶hello¶0¶¶"),
        // RFC 9110 section 5.6.1.2: empty elements are ignored; the rest must end in chunked.
        served(98, coding(",chunked"), last: body(",chunked", "hello")),
        served(98, coding("chunked,"), last: body("chunked,", "hello")),
        served(98, coding(", ,␉,chunked ,, ")), served(98, coding("␉,␉chunked␉,␉")),
        served(98, postHost + "Transfer-Encoding: ,¶" + chunked + "¶5¶hello¶0¶¶"),
        served(98, postHost + chunked + "Transfer-Encoding:¶¶5¶hello¶0¶¶"),
        refused(98, coding("")), refused(98, coding(",")), refused(98, coding(" , ,, ")),
        refused(98, postHost + "Transfer-Encoding:¶Content-Length: 5¶¶hello"),
        refused(98, postHost + "Transfer-Encoding: ,chunked,¶Content-Length: 5¶¶hello"),
        refused(98, coding(",chunked,,chunked")), refused(98, coding(", gzip ,"), 501),
        refused(98, coding("chunked,gzip,")), refused(98, coding("chunked ;,")),
        refused(98, postHost + chunked + "Transfer-Encoding: ,x¶¶5¶hello¶0¶¶"),
        refused(98, "POST /echo HTTP/1.0¶" + host + "Transfer-Encoding: ,¶¶"),
        refused(99, coding("chunked;a=b")), refused(99, coding("\"chunked\"")),
        refused(99, coding("chunked␀")), refused(99, coding("«0b»chunked")),
        refused(99, coding("«0c»chunked")), refused(99, coding("«a0»chunked")),
        refused(100, postHost + "Transfer-Encoding : chunked¶¶0¶¶"),
        refused(100, postHost + " Transfer-Encoding: chunked¶¶0¶¶"),
        served(
            100, postHost + "Transfer_Encoding: chunked¶Content-Length: 5¶¶hello",
            last: "POST /echo - a http11 keeps "
                + "Host=a&Transfer_Encoding=chunked&Content-Length=5 hello"),
        refused(101, postHost + "X: a␊Transfer-Encoding: chunked¶¶0¶¶"),
        refused(101, postHost + "␊" + chunked + "¶0¶¶"),
        refused(102, postHost + "Transfer-Encoding:¶ chunked¶¶0¶¶"),
    ]

    static let chunks: [Vector] = [
        served(91, message("5¶hello¶0¶¶"), last: body("chunked", "hello")),
        served(92, message("c¶HellO world1¶0¶¶"), last: body("chunked", "HellO world1")),
        served(92, message("A¶0123456789¶a¶0123456789¶0005¶hello¶0¶¶")),
        served(93, message("0¶¶"), last: body("chunked", "")),
        refused(103, message("Z¶hello¶0¶¶")), refused(103, message("¶hello¶0¶¶")),
        refused(103, message("-1¶hello¶0¶¶")), refused(103, message("+5¶hello¶0¶¶")),
        refused(103, message("0x5¶hello¶0¶¶")), refused(103, message("1_0¶hello¶0¶¶")),
        refused(103, message("␠5¶hello¶0¶¶")), refused(103, message("5␠¶hello¶0¶¶")),
        refused(104, message("ffffffffffffffff¶hello¶0¶¶")),
        refused(104, message("11111111111111111¶hello¶0¶¶")),
        refused(104, message(String(repeating: "0", count: 1000) + "¶¶")),
        refused(105, message("5¶hello0¶¶")), refused(106, message("5¶helloXX¶0¶¶")),
        refused(107, message("5␊hello¶0¶¶")), refused(107, message("5¶hello␊0¶¶")),
        refused(107, message("0␊¶")), refused(107, message("0¶␊")),
        refused(108, message("5␍hello¶0¶¶")), refused(108, message("5¶␍;ABCD¶0¶¶")),
        served(109, message("5;a=b¶hello¶0;x¶¶"), last: body("chunked", "hello")),
        served(109, message("5;a=\"b\\\";\";c¶hello¶0¶¶")),
        // RFC 9112 section 7.1.1: BWS is allowed around `;` and `=` only.
        served(109, message("5 ;a=b¶hello¶0 ;x¶¶"), last: body("chunked", "hello")),
        served(109, message("5; a¶hello¶0␉;␉x¶¶")), served(109, message("5;a =b¶hello¶0;x= y¶¶")),
        served(109, message("5 ␉ ; ␉ a ␉ = ␉ b ␉ ; ␉ c¶hello¶0¶¶")),
        served(109, message("5;a = \"b ; c\" ;d¶hello¶0¶¶")),
        refused(110, message("5;a ¶hello¶0¶¶")), refused(110, message("5;a=b␉¶hello¶0¶¶")),
        refused(110, message("5;a=\"b\" ¶hello¶0¶¶")), refused(110, message("5 ;¶hello¶0¶¶")),
        refused(110, message("5; ;a¶hello¶0¶¶")), refused(110, message("5;a = ¶hello¶0¶¶")),
        refused(110, message("5;a b¶hello¶0¶¶")), refused(110, message("5;a=b c¶hello¶0¶¶")),
        refused(110, message("5 5;a¶hello¶0¶¶")), refused(110, message("5 a=b¶hello¶0¶¶")),
        refused(110, message("5;a=«0b»b¶hello¶0¶¶")), refused(110, message("5 ␍;a¶hello¶0¶¶")),
        refused(110, message("5;¶hello¶0¶¶")), refused(110, message("5;b[d¶hello¶0¶¶")),
        refused(110, message("5;a=␀¶hello¶0¶¶")), refused(110, message("5;a=\"x¶hello¶0¶¶")),
        refused(110, message("5;a=\"x\\¶hello¶0¶¶")), refused(110, message("5;a=¶hello¶0¶¶")),
        refused(111, message("5 foo¶hello¶0¶¶")),
        served(112, message("5;" + letters(255) + "¶hello¶0¶¶")),
        refused(112, message("5;" + letters(256) + "¶hello¶0¶¶")),
        served(112, message(manyExtensions + "0¶¶")),
        refused(112, message(manyExtensions + "0;e¶¶")),
        served(113, message("0¶X-T: v¶¶"), last: body("chunked", "")),
        served(
            114, message("0¶Host: b¶Content-Length: 3¶Authorization: s¶¶"),
            last: body("chunked", "")),
        served(115, message("0¶X: " + letters(4089) + "¶¶")),
        refused(115, message("0¶X: " + letters(4090) + "¶¶"), 400, 431),
        refused(115, message("0¶bad trailer¶¶")), refused(115, message("0¶X: y␊¶")),
        waits(116, message("5¶hello¶")),
        refused(117, message("400001¶hello¶0¶¶"), 413),
        refused(118, message("0¶XX" + canary)),
        served(118, message("5¶hello¶0¶¶") + whole, 2),
    ]

    /// Extensions of 4096 bytes, the most that one request may have.
    private static let manyExtensions = String(
        repeating: "1;" + letters(255) + "¶x¶", count: 16)

    private static func letters(_ count: Int) -> String { String(repeating: "e", count: count) }

    private static func message(_ body: String) -> String { postHost + chunked + "¶" + body }

    private static func coding(_ value: String) -> String {
        postHost + "Transfer-Encoding: \(value)¶¶5¶hello¶0¶¶"
    }

    private static func body(_ coding: String, _ text: String) -> String {
        "POST /echo - a http11 keeps Host=a&Transfer-Encoding=\(coding) \(text)"
    }
}
