// Parsing server-sent events as they arrive (WHATWG HTML, section 9.2); pure.

/// A parser of an event stream.
package struct EventReader: Sendable {
    /// An event of the stream.
    package struct Event: Sendable, Equatable {
        /// The type of the event.
        package let name: String
        /// The data, its lines joined by line feeds.
        package let data: String
    }

    /// The most bytes of one event; a longer one ends the stream.
    private static let bytesAtMost = 16 << 20

    /// The identifier that a client sends as `Last-Event-ID` when it reconnects; nil before the
    /// first.
    package private(set) var lastID: String?
    /// Whether an event was longer than the limit.
    package private(set) var isOverlong = false
    private var line: [UInt8] = []
    private var name = ""
    private var data: [String] = []
    private var id: String?
    private var size = 0
    private var endedByReturn = false

    /// Creates a parser at the beginning of a stream.
    package init() {}

    /// Takes bytes, and returns the events that are complete now.
    package mutating func read(_ bytes: some Sequence<UInt8>) -> [Event] {
        var found: [Event] = []
        for byte in bytes {
            let followsReturn = endedByReturn
            endedByReturn = byte == 0x0d
            if byte == 0x0a, followsReturn { continue }
            guard byte == 0x0a || byte == 0x0d else {
                size += 1
                guard size <= EventReader.bytesAtMost else {
                    isOverlong = true
                    return found
                }
                line.append(byte)
                continue
            }
            if let event = endLine() { found.append(event) }
        }
        return found
    }

    /// Drops an incomplete event; the next bytes come from a new connection.
    package mutating func restart() {
        (line, name, data, id, size, endedByReturn) = ([], "", [], nil, 0, false)
    }

    private mutating func endLine() -> Event? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return endEvent() }
        let text = String(decoding: line, as: UTF8.self)
        let colon = text.firstIndex(of: ":") ?? text.endIndex
        var value = colon == text.endIndex ? "" : text[text.index(after: colon)...]
        if value.hasPrefix(" ") { value = value.dropFirst() }
        switch text[..<colon] {
        case "event": name = String(value)
        case "data": data.append(String(value))
        case "id": if !value.contains("\0") { id = String(value) }
        default: break
        }
        return nil
    }

    private mutating func endEvent() -> Event? {
        defer { (name, data, id, size) = ("", [], nil, 0) }
        if let id { lastID = id.isEmpty ? nil : id }
        guard !data.isEmpty else { return nil }
        return Event(
            name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"))
    }
}
