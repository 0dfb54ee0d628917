// Reads the members of `match` in a document.
internal import Base
internal import Downloads

extension Match {
    private static func values(_ form: TextForm) -> Shape {
        .any([.text(form), .list(.text(form), count: 1...64)])
    }

    private static let size = Shape.any([.integer(0...(1 << 53)), .text(.size)])
    private static let classWords = Shape.word(SchedulingClass.words.map(\.word))

    /// The members that a document may have.
    static let shape: [ShapeMember] = [
        ShapeMember("is_discretionary", .flag, "discretionary downloads, or those that are not"),
        ShapeMember(
            "allows_expensive_network_access", .flag,
            "downloads that may use expensive networks, or those that may not"),
        ShapeMember(
            "allows_constrained_network_access", .flag,
            "downloads that may use constrained networks, or those that may not"),
        ShapeMember(
            "class", .any([classWords, .list(classWords, count: 1...8)]), "scheduling classes"),
        ShapeMember("app", values(.glob), "apps by name"),
        ShapeMember("session", values(.session), "sessions by identifier"),
        ShapeMember("origin", values(.origin), "origins by host:port, host, *.domain or *"),
        ShapeMember(
            "priority",
            .object([
                ShapeMember("min", .number(0...1), "the least value, included"),
                ShapeMember("max", .number(0...1.01), "the upper bound, not included"),
            ]), "a range of priorities"),
        ShapeMember(
            "expected_bytes",
            .object([
                ShapeMember("min", size, "the least value, included"),
                ShapeMember("max", size, "the upper bound, not included"),
            ]), "a range of expected bytes; a download of unknown size is in no range"),
        ShapeMember(
            "metadata", .map(.text(.glob), names: .name, atMost: 16),
            "values of the metadata by name"),
    ]

    /// Reads an object whose shape was checked.
    init(_ object: JSONObject) {
        isDiscretionary = object["is_discretionary"]?.boolValue
        allowsExpensive = object["allows_expensive_network_access"]?.boolValue
        allowsConstrained = object["allows_constrained_network_access"]?.boolValue
        func texts(_ name: String) -> [String] {
            let value = object[name]
            if let text = value?.stringValue { return [text] }
            return value?.arrayValue?.compactMap(\.stringValue) ?? []
        }
        classes = texts("class").compactMap { SchedulingClass(word: $0) }
        apps = texts("app").map { Glob($0) }
        sessions = texts("session").map { Glob($0) }
        origins = texts("origin").map { OriginPattern($0) }
        priority = Match.span(object["priority"])
        expectedBytes = Match.span(object["expected_bytes"])
        metadata = (object["metadata"]?.objectValue?.members ?? []).compactMap { key, value in
            value.stringValue.map { MetadataPattern(key: KeyText(key), value: Glob($0)) }
        }
    }

    private static func span(_ json: JSON?) -> Span? {
        guard let object = json?.objectValue else { return nil }
        func end(_ name: String) -> Double? {
            guard let value = object[name] else { return nil }
            return value.doubleValue ?? ByteCount.read(value).map { Double($0) }
        }
        return Span(min: end("min"), max: end("max"))
    }

    /// Whether one of its ranges is empty.
    var isEmpty: Bool {
        [priority, expectedBytes].contains { span in
            guard let span, let min = span.min, let max = span.max else { return false }
            return min >= max
        }
    }
}

extension ByteCount {
    /// A number of bytes, given as a number or a text; nil for anything else.
    static func read(_ json: JSON) -> Int64? {
        if let number = json.integerValue { return number }
        guard let text = json.stringValue else { return nil }
        do throws(QuantityError) { return try ByteCount.parse(text) } catch { return nil }
    }
}
