// Bodies of up to 4 MiB that are as costly as possible.

/// A request to one endpoint.
struct CostlyRequest {
    private static let bytesAtMost = 4 << 20

    /// The method and the path, in the table's notation.
    let endpoint: String
    /// The costly part of the request.
    let name: String
    private let path: String
    private let type: String
    private let body: String

    private init(
        _ endpoint: String, _ name: String, path: String? = nil, type: String = "application/json",
        _ body: String
    ) {
        (self.endpoint, self.name, self.type, self.body) = (endpoint, name, type, body)
        self.path = path ?? String(endpoint.split(separator: " ")[1])
    }

    /// The bytes of the request.
    func message(port: Int) -> String {
        "\(endpoint.split(separator: " ")[0]) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
            + "Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
    }

    /// As many items as fit, between a beginning and an end.
    private static func fill(
        _ start: String, _ end: String, upTo count: Int = .max, _ item: (Int) -> String
    ) -> String {
        var text = start
        var place = 0
        while place < count {
            let next = item(place)
            guard text.utf8.count + next.utf8.count + end.utf8.count < bytesAtMost else { break }
            if place > 0 { text += "," }
            text += next
            place += 1
        }
        return text + end
    }

    private static func members(_ count: Int, _ value: String = "1") -> String {
        "{"
            + (0..<count).map { "\"a member that is unknown \($0)\":\(value)" }
            .joined(separator: ",") + "}"
    }

    /// Values that any document can contain, as the value of a member.
    private static func kinds(_ start: String, _ end: String) -> [(String, String)] {
        let room = bytesAtMost - start.utf8.count - end.utf8.count - 10
        return [
            ("objects of a thousand", fill(start + "[", "]" + end) { _ in members(1000) }),
            ("small objects", fill(start + "[", "]" + end, upTo: 60_000) { "{\"\($0)\":\($0)}" }),
            ("short texts", fill(start + "[", "]" + end) { "\"sixteen bytes \($0)\"" }),
            ("numbers", fill(start + "[", "]" + end, upTo: 199_000) { "-\($0).25e-3" }),
            ("digits", fill(start + "[", "]" + end) { _ in String(repeating: "9", count: 1000) }),
            (
                "escapes",
                start + "\"" + String(repeating: "\\u00e9\\n", count: room / 8) + "\"" + end
            ),
            ("one text", start + "\"" + String(repeating: "x", count: room) + "\"" + end),
            ("controls", start + "\"" + String(repeating: "\\u0001", count: room / 6) + "\"" + end),
            ("space", start + String(repeating: " ", count: room) + "1" + end),
        ]
    }

    /// A thousand header fields or texts would exceed the limits; this is the allowed number.
    private static func downloads(_ item: (Int) -> String) -> String {
        fill("{\"downloads\":[", "]}", upTo: 1000, item)
    }

    static func all(id: String) -> [CostlyRequest] {
        let url = #""url":"http://127.0.0.1:18080/f""#
        let bodies: [(String, String?, [(String, String)])] = [
            ("POST /v1/downloads", nil, kinds("{\(url),\"metadata\":", "}")),
            ("PATCH /v1/downloads/ID", "/v1/downloads/\(id)", kinds("{\"headers\":", "}")),
            (
                "POST /v1/downloads/ID/retry", "/v1/downloads/\(id)/retry",
                kinds("{\"headers\":", "}")
            ),
            ("POST /v1/downloads/bulk", nil, kinds("{\"action\":\"cancel\",\"filter\":", "}")),
            ("PUT /v1/policy", nil, kinds("{\"windows\":", "}")),
            ("PUT /v1/sessions/r13", nil, kinds("{\"http_additional_headers\":", "}")),
            ("POST /v1/downloads/batch", nil, kinds("{\"downloads\":", "}") + batches(url)),
        ]
        let lists = [
            ("URLs", String(repeating: "http://127.0.0.1:1/\n", count: 1000)),
            ("empty lines", String(repeating: "\n", count: bytesAtMost - 1)),
            ("lines", String(repeating: "a\n", count: bytesAtMost / 2 - 1)),
        ].map {
            CostlyRequest("POST /v1/downloads/batch", "list: \($0)", type: "text/uri-list", $1)
        }
        return bodies.flatMap { endpoint, path, list in
            list.map { CostlyRequest(endpoint, $0, path: path, $1) }
        } + lists
    }

    private static func batches(_ url: String) -> [(String, String)] {
        let empty = Array(repeating: "{}", count: 1000).joined(separator: ",")
        let pairs = (0..<60).map { "\"name_\($0)\":\"value\"" }.joined(separator: ",")
        return [
            ("unknown defaults", "{\"defaults\":\(members(1000)),\"downloads\":[\(empty)]}"),
            (
                "defaults of headers",
                "{\"defaults\":{\(url),\"headers\":{\(pairs)},\"metadata\":{\(pairs)}},"
                    + "\"downloads\":[\(empty)]}"
            ),
            ("downloads of unknown members", downloads { _ in members(100) }),
            ("downloads of headers", downloads { _ in "{\(url),\"headers\":{\(pairs)}}" }),
            (
                "downloads of metadata",
                downloads { _ in
                    "{\(url),\"earliest_begin_date\":\"2036-01-01T00:00:00Z\","
                        + "\"metadata\":{\(pairs)}}"
                }
            ),
            (
                "downloads of long texts",
                downloads { _ in
                    "{\(url),\"earliest_begin_date\":\"2036-01-01T00:00:00Z\","
                        + "\"task_description\":\"\(String(repeating: "t", count: 4000))\"}"
                }
            ),
            (
                "downloads with bodies",
                fill("{\"downloads\":[", "]}", upTo: 4) { _ in
                    "{\(url),\"earliest_begin_date\":\"2036-01-01T00:00:00Z\",\"method\":\"POST\","
                        + "\"body\":\"\(String(repeating: "b", count: 1_000_000))\"}"
                }
            ),
        ]
    }
}
