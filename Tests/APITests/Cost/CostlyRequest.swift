// The costliest requests of each endpoint, in any size.

/// A request that grows with a number.
struct CostlyRequest: Sendable {
    let name: String
    let method: String
    let path: String
    var query: @Sendable (Int) -> String = { _ in "" }
    var type = "application/json"
    var field: (@Sendable (Int) -> (String, String))?
    let body: (@Sendable (Int) -> String)?

    init(
        _ name: String, _ method: String, _ path: String, _ body: (@Sendable (Int) -> String)?
    ) {
        (self.name, self.method, self.path, self.body) = (name, method, path, body)
    }
}

/// Pieces of bodies.
private enum Text {
    static func list(
        _ count: Int, _ separator: String = ",", _ item: (Int) -> String
    ) -> String {
        (0..<count).map(item).joined(separator: separator)
    }

    static func again(_ count: Int, _ piece: String) -> String {
        String(repeating: piece, count: count)
    }

    /// An object of this many members.
    static func object(_ count: Int, _ value: String = "1") -> String {
        "{" + list(count) { "\"member_\($0)\":\(value)" } + "}"
    }

    static func text(_ count: Int, _ piece: String = "a") -> String {
        "\"" + String(repeating: piece, count: count) + "\""
    }

    static let url = #""url":"https://a.example/f""#
}

extension CostlyRequest {
    /// Values of every kind, in `document` at `{}`.
    private static func values(
        _ name: String, _ method: String, _ path: String, _ document: String
    ) -> [CostlyRequest] {
        let kinds: [(String, @Sendable (Int) -> String)] = [
            ("members", { Text.object($0) }), ("nulls", { Text.object($0, "null") }),
            ("texts", { Text.object($0, "\"v\"") }),
            ("list", { "[" + Text.list($0) { "\"item \($0)\"" } + "]" }),
            ("numbers", { "[" + Text.list($0) { "-\($0).5e3" } + "]" }),
            ("text", { Text.text($0 * 10) }), ("escapes", { Text.text($0, "\\u00e9\\n") }),
            ("controls", { Text.text($0, "\\u0001") }),
            (
                "depth",
                {
                    String(repeating: "[", count: $0) + String(repeating: "]", count: $0)
                }
            ),
            ("digits", { String(repeating: "7", count: $0) }),
        ]
        return kinds.map { kind, make in
            CostlyRequest("\(name): \(kind)", method, path) { size in
                document.replacing("{}", with: make(size))
            }
        }
    }

    /// Bodies of one endpoint: unknown members, and each known one with every kind of value.
    private static func members(
        _ method: String, _ path: String, start: String, _ names: [String]
    ) -> [CostlyRequest] {
        let comma = start.isEmpty ? "" : ","
        let whole: [CostlyRequest] = [
            CostlyRequest("\(path): unknown members", method, path) {
                "{\(start)\(comma)" + Text.object($0).dropFirst()
            },
            CostlyRequest("\(path): a late duplicate", method, path) {
                "{\(start)\(comma)" + Text.object($0).dropFirst().dropLast() + ",\"member_0\":1}"
            },
            CostlyRequest("\(path): one name again and again", method, path) {
                "{\(start)\(comma)" + Text.list($0) { _ in "\"a\":1" } + "}"
            },
            CostlyRequest("\(path): a long name", method, path) {
                "{\(start)\(comma)" + Text.text($0 * 10) + ":1}"
            },
            CostlyRequest("\(path): a late U+0000", method, path) {
                "{\(start)\(comma)" + Text.object($0).dropFirst().dropLast() + ",\"\\u0000\":1}"
            },
            CostlyRequest("\(path): space, then a fault", method, path) {
                "{\(start)" + String(repeating: " \n", count: $0) + "x"
            },
            CostlyRequest("\(path): a list", method, path) {
                "[" + Text.list($0) { _ in "{}" } + "]"
            },
        ]
        return whole
            + names.flatMap {
                values("\(path): \($0)", method, path, "{\(start)\(comma)\"\($0)\":{}}")
            }
    }

    /// `{id}` is replaced by a download that was just created.
    static let downloads: [CostlyRequest] =
        members(
            "POST", "/v1/downloads", start: Text.url,
            ["urls", "metadata", "headers", "webhook_events", "authorization", "proxy", "body"])
        + members(
            "PATCH", "/v1/downloads/{id}", start: "",
            ["metadata", "headers", "urls", "task_description"])
        + members("POST", "/v1/downloads/bulk", start: #""action":"cancel""#, ["filter"])
        + values(
            "bulk filter", "POST", "/v1/downloads/bulk",
            #"{"action":"cancel","filter":{"metadata":{}}}"#)
        + members("POST", "/v1/downloads/{id}/retry", start: "", ["headers"])
        + members("POST", "/v1/downloads/{id}/cancel", start: "", [])

    static let settings: [CostlyRequest] =
        members(
            "PUT", "/v1/policy", start: "",
            ["windows", "rules", "limits", "bandwidth", "time_zone"])
        + values("window", "PUT", "/v1/policy", #"{"windows":{"w":{}}}"#)
        + values("rule", "PUT", "/v1/policy", #"{"rules":[{"name":"r","require":{}}]}"#)
        + values("rates", "PUT", "/v1/policy", #"{"bandwidth":{"per_origin":{}}}"#)
        + [
            CostlyRequest("rules", "PUT", "/v1/policy") {
                "{\"rules\":["
                    + Text.list($0) { "{\"name\":\"r\($0)\",\"require\":[\"window w\"]}" } + "]}"
            }
        ]
        + members(
            "PUT", "/v1/sessions/cost", start: "",
            ["http_additional_headers", "tls", "webhook_events", "webhook_url"])
        + values(
            "tls", "PUT", "/v1/sessions/cost",
            #"{"tls":{"ca_pem":{}}}"#)

    static let batches: [CostlyRequest] =
        members(
            "POST", "/v1/downloads/batch", start: #""downloads":[{}]"#, ["defaults", "session"])
        + [
            batch("defaults that are unknown for as many downloads") {
                (Text.object($0), Text.list($0) { _ in "{}" })
            },
            batch("defaults that are wrong") {
                (
                    #"{"url":1,"priority":"x","metadata":7,"headers":[],"urls":{},"session":[]}"#,
                    Text.list($0) { _ in "{}" }
                )
            },
            batch("defaults of a thousand bytes") {
                (
                    "{\"metadata\":\(Text.object(60, "\"v\"")),\"headers\":"
                        + "\(Text.object(60, "\"v\""))}",
                    Text.list($0) { "{\"url\":\"https://a.example/\($0)\"}" }
                )
            },
            batch("a finding in each") {
                ("{}", Text.list($0) { "{\"url\":\"https://a.example/\($0)\",\"x\":1}" })
            },
            batch("a bad host in each") {
                ("{}", Text.list($0) { "{\"url\":\"http://127.0.0.1/\($0)\"}" })
            },
            batch("ten downloads of many members") { size in
                ("{}", Text.list(10) { _ in Text.object(size / 10) })
            },
            batch("no objects") { ("{}", Text.list($0) { "\($0)" }) },
            batch("none that is wrong") {
                ("{\"priority\":0.1}", Text.list($0) { "{\"url\":\"https://a.example/\($0)\"}" })
            },
            list("URLs") { (0..<$0).map { "https://a.example/\($0)" }.joined(separator: "\n") },
            list("empty lines") { String(repeating: "\n", count: $0 * 10) },
            list("comments") { String(repeating: "# nothing\r\n", count: $0) },
            list("a long line") { "https://a.example/" + String(repeating: "a", count: $0 * 10) },
            list("no URLs") { String(repeating: "x\n", count: $0) },
        ]

    private static func batch(
        _ name: String, _ make: @escaping @Sendable (Int) -> (defaults: String, items: String)
    ) -> CostlyRequest {
        CostlyRequest("batch: \(name)", "POST", "/v1/downloads/batch") { size in
            let (defaults, items) = make(size)
            return "{\"defaults\":\(defaults),\"downloads\":[\(items)]}"
        }
    }

    private static func list(
        _ name: String, _ make: @escaping @Sendable (Int) -> String
    ) -> CostlyRequest {
        var request = CostlyRequest("list: \(name)", "POST", "/v1/downloads/batch", make)
        request.type = "text/uri-list"
        return request
    }

    /// The request line and the fields, of at most 8 KiB a line.
    static let heads: [CostlyRequest] =
        queries.map { name, make in
            var request = CostlyRequest("query: \(name)", "GET", "/v1/downloads", nil)
            request.query = make
            return request
        }
        + fields.map { name, piece in
            var request = CostlyRequest("field: \(name)", "GET", "/v1/events", nil)
            request.field = { (name, Text.again($0 / piece.utf8.count, piece)) }
            return request
        }

    private static let fields: [(String, String)] = [
        ("If-None-Match", "\"a\","), ("Accept", "a/b;q=0,"), ("Prefer", "a;b=1,"),
        ("Last-Event-ID", "1"), ("traceparent", "00-"),
    ]

    private static let queries: [(String, @Sendable (Int) -> String)] = [
        ("unknown", { size in Text.list(size / 10, "&") { "p\($0)=1" } }),
        ("the same", { size in Text.list(size / 4, "&") { _ in "a=1" } }),
        ("lists", { size in Text.list(size / 12, "&") { _ in "state=failed" } }),
        ("long list", { size in "state=" + Text.list(size / 7) { _ in "failed" } }),
        ("members", { size in Text.list(size / 16, "&") { "metadata[\($0)]=1" } }),
        ("escapes", { size in "metadata[" + Text.again(size / 6, "%c3%a9") + "]=1" }),
        ("brackets", { size in Text.again(size, "[") + "=1" }),
    ]
}
