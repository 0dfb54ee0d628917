// Event streams: the rules of the standard, at every split of the bytes.
import Client
import Testing

@Suite struct EventReaderTests {
    static let streams: [(text: String, events: [String], lastID: String?)] = [
        ("retry: 3000\n\nid: 1-a\n\n", [], "1-a"),
        ("id: 1-a\nevent: x\ndata: {}\n\n", ["x {}"], "1-a"),
        ("event: x\ndata: {}\n\n", ["x {}"], nil),
        ("data: a\ndata: b\n\n", ["message a\nb"], nil),
        ("data:a\n\n", ["message a"], nil), ("data:  a\n\n", ["message  a"], nil),
        (": keepalive\n\n", [], nil), ("event: x\n\ndata: a\n\n", ["message a"], nil),
        ("data: a\r\n\r\ndata: b\r\rdata: c\n\n", ["message a", "message b", "message c"], nil),
        // An event without a final empty line was not sent whole, nor was its id.
        ("id: 2\ndata: a\n\nid: 3\ndata: b\n", ["message a"], "2"),
        ("data\n\n", ["message "], nil), ("other: a\n\n", [], nil),
        ("id: 1\n\nid\n\n", [], nil), ("id: a\0b\ndata: c\n\n", ["message c"], nil),
    ]

    @Test(arguments: streams)
    func readsStreams(_ given: (text: String, events: [String], lastID: String?)) {
        let bytes = Array(given.text.utf8)
        for split in 0...bytes.count {
            var reader = EventReader()
            let found = reader.read(bytes[..<split]) + reader.read(bytes[split...])
            #expect(found.map { "\($0.name) \($0.data)" } == given.events, "split at \(split)")
            #expect(reader.lastID == given.lastID)
        }
    }

    @Test func aNewConnectionForgetsHalfAnEvent() {
        var reader = EventReader()
        #expect(reader.read(Array("id: 1\ndata: a\n\nid: 2\ndata: b".utf8)).count == 1)
        reader.restart()
        let found = reader.read(Array("\ndata: c\n\n".utf8))
        #expect(found.map(\.data) == ["c"])
        #expect(reader.lastID == "1")
    }

    @Test func anEndlessEventEndsTheStream() {
        var reader = EventReader()
        let part = [UInt8](repeating: 0x61, count: 1 << 20)
        for _ in 0..<17 { #expect(reader.read(part) == []) }
        #expect(reader.isOverlong)
    }
}
