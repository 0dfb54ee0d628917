// Rows 75 to 90 and 119 to 127: Content-Length, bodies where none are usual, Expect.

extension Vector {
    static let lengths: [Vector] = [
        served(
            75, postHost + "Content-Length: 5¶¶hello",
            last: "POST /echo - a http11 keeps Host=a&Content-Length=5 hello"),
        served(76, postHost + "Content-Length: 0¶¶"), served(76, postHost + "¶"),
        waits(77, postHost + "Content-Length: 10¶¶hello"),
        refused(79, length("abc")), refused(79, length("5x")), refused(79, length("1Z")),
        refused(79, length("5.0")), refused(79, length("5e0")),
        refused(80, length("+5")), refused(80, length("-5")), refused(80, length("-0")),
        refused(80, length("0x5")), refused(80, length("0o5")), refused(80, length("1_0")),
        refused(80, length("1 0")),
        refused(81, length("")), refused(81, length(",")), refused(81, length(";5")),
        // 1*DIGIT by the letter, but readers differ on the meaning: octal, or repaired.
        refused(82, length("034")), refused(82, length("05")), refused(82, length("0005")),
        refused(82, length("00")),
        refused(83, length("9223372036854775808"), 400, 413),
        refused(83, length("18446744073709551616"), 400, 413),
        refused(83, length("9999999999999999999"), 413),
        refused(83, length("1" + String(repeating: "0", count: 25)), 400),
        refused(83, length(String(repeating: "9", count: 400)), 400),
        refused(84, length("4194305"), 413),
        refused(85, postHost + "Content-Length: 5¶Content-Length: 7¶¶hello"),
        refused(86, postHost + "Content-Length: 5¶Content-Length: 5¶¶hello"),
        refused(86, length("5, 5")), refused(87, length("5, 6")),
        refused(88, postHost + "Content-Length : 5¶¶hello"),
        refused(88, postHost + "Content-Length«85»: 5¶¶hello"),
        refused(88, postHost + "Content_Length: 5¶¶hello", 400, 501, after: 1),
        refused(89, postHost + chunked + "Content-Length: 5¶¶5¶hello¶0¶¶"),
        refused(89, postHost + "content-length: 5¶" + chunked + "¶5¶hello¶0¶¶"),
        refused(89, postHost + "TRANSFER-ENCODING: CHUNKED¶Content-Length: 5¶¶5¶hello¶0¶¶"),
        refused(90, "POST /echo HTTP/1.0¶" + host + chunked + "¶0¶¶"),
        served(
            119, getHost + "Content-Length: 5¶¶hello" + whole, 2,
            last: "GET /healthz - a http11 keeps Host=a "),
        served(120, getHost + "Content-Length: \(wire(canary).count)¶¶" + canary),
        served(121, "OPTIONS /a HTTP/1.1¶" + host + "Content-Length: 5¶¶hello" + whole, 2),
        served(121, "HEAD /a HTTP/1.1¶" + host + "Content-Length: 5¶¶hello" + whole, 2),
        served(121, "DELETE /a HTTP/1.1¶" + host + "Content-Length: 5¶¶hello" + whole, 2),
        refused(122, postHost + "Content-Length: 0¶¶X" + whole, 400, 501, after: 1),
        served(123, postHost + "Expect: 100-continue¶Content-Length: 5¶¶hello"),
        refused(124, postHost + "Expect: 100-continue¶Content-Length: 4194305¶¶", 413),
        served(125, postHost + "Expect: 100-Continue¶Content-Length: 5¶¶hello" + whole, 2),
        served(126, "POST /echo HTTP/1.0¶Expect: 100-continue¶Content-Length: 5¶¶hello"),
        served(126, getHost + "Expect: 100-continue¶¶"),
        served(125, postHost + "Expect: , 100-continue,¶Content-Length: 5¶¶hello" + whole, 2),
        served(125, postHost + "Expect:¶Content-Length: 5¶¶hello" + whole, 2),
        served(125, postHost + "Expect: ,¶Content-Length: 5¶¶hello" + whole, 2),
        refused(127, postHost + "Expect: ,tea,¶Content-Length: 5¶¶hello", 417),
        refused(127, postHost + "Expect: 200-ok¶Content-Length: 5¶¶hello", 417),
        refused(127, postHost + "Expect: 100-continue, x¶Content-Length: 5¶¶hello", 417),
    ]

    /// The request that must never be served after a rejection.
    static let canary = "GET /canary HTTP/1.1¶Host: a¶¶"

    private static func length(_ value: String) -> String {
        postHost + "Content-Length: \(value)¶¶hello"
    }
}
