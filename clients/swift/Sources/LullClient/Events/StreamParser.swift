import Foundation

/// Reads server-sent events from bytes in any pieces.
struct StreamParser {
    /// One event of a stream.
    struct Frame: Hashable, Sendable {
        /// The last `id` that the stream gave; nil where the event has none.
        var id: String?
        var event = ""
        var data: [UInt8] = []
    }

    /// The longest line, and the most bytes of data of one event.
    static let bytesAtMost = 16 << 20

    private var line: [UInt8] = []
    private var frame = Frame()
    private var hasData = false
    private var endedWithReturn = false
    /// Whether a line or an event was longer than any of the service.
    private(set) var isTooLong = false

    /// Takes bytes, and gives the events that they complete.
    mutating func read(_ bytes: Data) -> [Frame] {
        var frames: [Frame] = []
        for byte in bytes where !isTooLong {
            let afterReturn = endedWithReturn
            endedWithReturn = byte == 13
            if byte == 10, afterReturn { continue }
            guard byte == 10 || byte == 13 else {
                line.append(byte)
                isTooLong = line.count > StreamParser.bytesAtMost
                continue
            }
            if line.isEmpty {
                if hasData { frames.append(frame) }
                frame = Frame()
                hasData = false
            } else {
                takeLine()
                line.removeAll(keepingCapacity: line.count < 65_536)
            }
        }
        return frames
    }

    private mutating func takeLine() {
        let colon = line.firstIndex(of: 58)
        // A line that begins with a colon is a comment.
        if colon == 0 { return }
        let name = line[..<(colon ?? line.endIndex)]
        var value = colon.map { line[($0 + 1)...] } ?? []
        if value.first == 32 { value.removeFirst() }
        switch String(decoding: name, as: UTF8.self) {
        case "id": frame.id = String(decoding: value, as: UTF8.self)
        case "event": frame.event = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { frame.data.append(10) }
            frame.data += value
            hasData = true
            isTooLong = frame.data.count > StreamParser.bytesAtMost
        default: break
        }
    }
}
