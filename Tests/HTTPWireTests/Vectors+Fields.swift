// Rows 57 to 74: Host and field lines.

extension Vector {
    static let fields: [Vector] = [
        refused(57, get + "¶"), refused(58, getHost + host + "¶"),
        refused(58, getHost + "Host: b¶¶"), refused(59, get + "Host:¶¶"),
        refused(60, get + "Host: a b¶¶"), refused(60, get + "Host: a/b¶¶"),
        refused(60, get + "Host: u@a¶¶"), refused(60, get + "Host: a,b¶¶"),
        refused(60, get + "Host: a:x¶¶"), refused(60, get + "Host: a:99999¶¶"),
        refused(60, get + "Host: a:65536¶¶"), refused(60, get + "Host: [::1¶¶"),
        refused(60, get + "Host: []¶¶"), refused(60, get + "Host: [::g]¶¶"),
        refused(60, get + "Host: [::1]x¶¶"), refused(60, get + "Host: :80¶¶"),
        refused(60, get + "Host: a␀b¶¶"), refused(60, get + "Host: «e9»¶¶"),
        served(
            61, get + "Host: [::1]:8080¶¶",
            last: "GET /healthz - [::1]:8080 http11 keeps Host=[::1]:8080 "),
        served(61, get + "Host: a:¶¶"), served(61, get + "Host: A.B.¶¶"),
        served(61, get + "Host: a:65535¶¶"),
        refused(60, get + "Host: [::::]¶¶"), refused(60, get + "Host: [1::2::3]¶¶"),
        refused(60, get + "Host: [:::1]:80¶¶"), refused(60, get + "Host: [1:2]¶¶"),
        refused(60, "GET / HTTP/1.0¶Host: [::::]¶¶"),
        refused(60, "GET http://[:::1]:80/ HTTP/1.1¶" + host + "¶"),
        served(61, get + "Host: [::ffff:127.0.0.1]:1¶¶"), served(61, get + "Host: [1::]¶¶"),
        served(
            129, getHost + "Connection: ,, close ,¶¶",
            last: "GET /healthz - a http11 closes Host=a&Connection=,, close , "),
        refused(62, get + "Host : a¶¶"), refused(62, get + "Host␉: a¶¶"),
        refused(63, get + " Host: a¶¶"), refused(63, get + "␉Host: a¶¶"),
        refused(64, getHost + "X: a¶ b¶¶"), refused(64, getHost + "X: a¶␉b¶¶"),
        refused(65, getHost + ": v¶¶"), refused(65, get + "Host:¶I: x¶¶"),
        refused(66, getHost + "NoColon¶¶"), refused(66, getHost + "Content-Length 10¶¶"),
        refused(67, getHost + "Ba[d: v¶¶"), refused(67, getHost + "Fo@: v¶¶"),
        refused(67, getHost + "a b: v¶¶"), refused(67, getHost + "é: v¶¶"),
        refused(67, getHost + "«ff»: v¶¶"), refused(67, getHost + "«01»: v¶¶"),
        refused(67, getHost + "a␀b: v¶¶"), refused(67, getHost + "{: v¶¶"),
        refused(68, getHost + "X: a␀b¶¶"), refused(68, getHost + "X: «07»¶¶"),
        refused(68, getHost + "X: «1b»¶¶"), refused(68, getHost + "X: «7f»¶¶"),
        refused(68, getHost + "X: «0b»¶¶"), refused(68, getHost + "X: «0c»¶¶"),
        served(
            69, getHost + "X: «80»«ff»¶¶",
            last: "GET /healthz - a http11 keeps Host=a&X=\u{80}\u{ff} "),
        served(70, getHost + "X: ␠␉ v ␉ ¶¶", last: "GET /healthz - a http11 keeps Host=a&X=v "),
        served(70, getHost + "X: ␉ ¶¶", last: "GET /healthz - a http11 keeps Host=a&X= "),
        served(
            71, getHost + "X: «a0»v«85»¶¶",
            last: "GET /healthz - a http11 keeps Host=a&X=\u{a0}v\u{85} "),
        served(72, getHost + long(8192) + "¶"), refused(72, getHost + long(8193) + "¶", 431),
        // Host: a and the empty line are 11 bytes of the block.
        served(72, getHost + long(8192) + long(16_384 - 11 - 8194 - 2) + "¶"),
        refused(72, getHost + long(8192) + long(16_385 - 11 - 8194 - 2) + "¶", 431),
        served(72, getHost + repeated("X: y¶", 99) + "¶"),
        refused(72, getHost + repeated("X: y¶", 100) + "¶", 431),
        refused(73, getHost + repeated("a:¶", 10_000) + "¶", 431),
        refused(73, getHost + repeated("a", 100_000) + ": v¶¶", 431),
        refused(74, postHost + "Transfer-\\¶Encoding: chunked¶Content-Length: 5¶¶hello"),
        served(128, getHost + "Upgrade: websocket¶Connection: Upgrade¶¶"),
        served(
            129, getHost + "Connection: close, keep-alive¶¶",
            last: "GET /healthz - a http11 closes Host=a&Connection=close, keep-alive "),
        served(
            129, getHost + "Connection: Host¶¶",
            last: "GET /healthz - a http11 keeps Host=a&Connection=Host "),
    ]

    /// A field line of this many bytes, without its line end.
    private static func long(_ bytes: Int) -> String { "X: " + repeated("y", bytes - 3) + "¶" }

    private static func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }
}
