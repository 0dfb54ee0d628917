// Chunks, read in every way that they can arrive.
import Testing

@testable import Transfers

@Suite struct ChunkedBodyTests {
    /// The result of reading a body.
    private struct Seen: Equatable {
        var content: [UInt8] = []
        var isComplete = false
        var reason: ChunkedBody.Malformation?
        var trailers: [ResponseHead.Field] = []
        /// The number of bytes behind the end.
        var rest = 0
    }

    private func read(_ pieces: [ArraySlice<UInt8>]) -> Seen {
        var body = ChunkedBody()
        var seen = Seen()
        for piece in pieces {
            let bytes = Array(piece)
            unsafe bytes.withUnsafeBytes { bytes in
                var position = 0
                while seen.reason == nil {
                    switch unsafe body.next(bytes, at: &position) {
                    case .more: return
                    case .complete:
                        seen.isComplete = true
                        seen.rest += bytes.count - position
                        return
                    case .malformed(let reason): seen.reason = reason
                    case .content(let count):
                        unsafe seen.content += bytes[position..<(position + count)]
                        body.take(count)
                        position += count
                    }
                }
            }
        }
        seen.trailers = body.trailers
        return seen
    }

    /// Reads a text whole, byte by byte, and cut at each place: the result is always equal.
    private func readInEveryWay(_ text: String) -> Seen {
        let bytes = Array(text.utf8)
        let whole = read([bytes[...]])
        #expect(read(bytes.indices.map { bytes[$0...$0] }) == whole, "\(text.debugDescription)")
        for cut in bytes.indices {
            #expect(
                read([bytes[..<cut], bytes[cut...]]) == whole, "\(text.debugDescription) \(cut)")
        }
        return whole
    }

    private static let sound: [(String, String)] = [
        ("0\r\n\r\n", ""), ("5\r\nhello\r\n0\r\n\r\n", "hello"),
        ("5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", "hello world"),
        ("A\r\n0123456789\r\na\r\n0123456789\r\n000\r\n\r\n", "01234567890123456789"),
        ("5;a\r\nhello\r\n0;b=c;d=\"e f\"\r\n\r\n", "hello"),
        ("5 \t \r\nhello\r\n0 \r\n\r\n", "hello"), ("5 ; a\r\nhello\r\n0\r\n\r\n", "hello"),
        ("5\nhello\n0\n\n", "hello"), ("0000000000000000000000005\r\nhello\r\n0\r\n\r\n", "hello"),
        ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n"), ("3\r\n0\r\n\r\n0\r\n\r\n", "0\r\n"),
    ]

    @Test(arguments: sound)
    func soundBodiesAreRead(_ text: String, _ content: String) {
        let seen = readInEveryWay(text)
        #expect(seen.reason == nil)
        #expect(seen.isComplete)
        #expect(seen.content == Array(content.utf8))
        #expect(seen.rest == 0)
        #expect(readInEveryWay(text + "5\r\nhello").rest == 8)
        // Every beginning of a sound body is a body that is not over yet.
        let bytes = Array(text.utf8)
        for cut in bytes.indices {
            let part = read([bytes[..<cut]])
            #expect(part.reason == nil && !part.isComplete)
        }
    }

    private static let malformed: [(String, ChunkedBody.Malformation)] = [
        ("0x34\r\n\r\nhello\r\n0\r\n\r\n", .oddSize), ("x\r\n", .oddSize),
        ("0X5\r\nhello\r\n0\r\n\r\n", .oddSize), ("\r\n", .oddSize), ("\n", .oddSize),
        (" 5\r\nhello\r\n", .oddSize), ("+5\r\nhello\r\n", .oddSize), ("-1\r\n", .oddSize),
        ("5 x\r\nhello\r\n", .oddSize), ("5\rhello\r\n", .oddSize), ("5,5\r\n", .oddSize),
        ("5_0\r\n", .oddSize), ("5;a\u{0}b\r\n", .oddSize), ("5;a\u{7f}\r\n", .oddSize),
        ("5\u{0}\r\nhello\r\n", .oddSize), ("5;a\rb\r\n", .oddSize), ("no chunk\r\n", .oddSize),
        ("ffffffffffffffffff\r\n", .tooLarge), ("1000000000000000\r\n", .tooLarge),
        (String(repeating: "0", count: 65) + "\r\n\r\n", .tooLarge),
        ("2\r\nhello\r\n0\r\n\r\n", .tooLong), ("5\r\nhello0\r\n\r\n", .tooLong),
        ("5\r\nhello\r0\r\n\r\n", .tooLong), ("5\r\nhello\r\r\n0\r\n\r\n", .tooLong),
        ("5;" + String(repeating: "a", count: 5000) + "\r\n", .longExtension),
        ("0\r\nnothing\r\n\r\n", .oddTrailer), ("0\r\n: y\r\n\r\n", .oddTrailer),
        ("0\r\nX: a\u{0}b\r\n\r\n", .oddTrailer), ("0\r\n X: y\r\n\r\n", .oddTrailer),
        ("0\r\nX: y\r\n z\r\n\r\n", .oddTrailer), ("0\r\nX : y\r\n\r\n", .oddTrailer),
        ("0\r\nX: a\rb\r\n\r\n", .oddTrailer),
        ("0\r\nX: " + String(repeating: "a", count: 65_536) + "\r\n\r\n", .oddTrailer),
    ]

    @Test(arguments: malformed)
    func malformedBodiesAreNot(_ text: String, _ reason: ChunkedBody.Malformation) {
        let seen = text.utf8.count > 1000 ? read([Array(text.utf8)[...]]) : readInEveryWay(text)
        #expect(seen.reason == reason)
        #expect(!seen.isComplete)
    }

    /// A chunk of one byte with this many bytes of extensions.
    private func chunks(_ count: Int, extensions: Int) -> [UInt8] {
        let chunk = Array(("1;" + String(repeating: "a", count: extensions) + "\r\nx\r\n").utf8)
        return Array(repeatElement(chunk, count: count).joined()) + Array("0\r\n\r\n".utf8)
    }

    @Test func framingHasABoundOfItsOwn() {
        let fat = read([chunks(400, extensions: 4000)[...]])
        #expect(fat.reason == .muchFraming && fat.content.count < 400)
        let lean = read([chunks(300_000, extensions: 8)[...]])
        #expect(lean.isComplete && lean.content.count == 300_000)
    }

    @Test func theLargestSizeThatIsRead() {
        var body = ChunkedBody()
        var position = 0
        let bytes = Array("fffffffffffffff\r\na".utf8)
        let step = unsafe bytes.withUnsafeBytes { unsafe body.next($0, at: &position) }
        #expect(step == .content(1))
    }

    @Test func trailersAreKept() {
        let seen = readInEveryWay("1\r\na\r\n0\r\nDigest: md5=x\r\nX:\r\nY:  z \t\r\nX: 2\n\r\n")
        #expect(seen.isComplete)
        #expect(
            seen.trailers == [
                .init(name: "digest", value: "md5=x"), .init(name: "x", value: ""),
                .init(name: "y", value: "z"), .init(name: "x", value: "2"),
            ])
    }
}
