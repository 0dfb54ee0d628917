// Turns a reply into one that a broken or hostile server may send instead.

/// Changes replies by the random numbers of a case.
struct ReplyMutator {
    /// The texts that are inserted into a reply: the words that frame one, and bytes that do not
    /// belong there.
    private static let words: [String] = [
        "\r\n", "\n", "\r", " ", "\t", "\0", ":", ";", ",", "0x", "-1", "+5", "\r\n\r\n", " \r\n",
        "\r\n X: y", "\r\n\tX: y", "0\r\n\r\n", "5\r\n", "5;a=b\r\n", "ffffffffffffffff\r\n",
        "Content-Length: 5\r\n", "Content-Length: 0\r\n",
        "Content-Length: 99999999999999999999\r\n",
        "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding : chunked\r\n", "Connection: close\r\n", "Connection: keep-alive\r\n",
        "Content-Encoding: gzip\r\n", "Location: /r/7\r\n", "Location:\r\n", "Trailer: X\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\n\r\n",
        "HTTP/1.1 103 Hints\r\nLink: <x>\r\n\r\n", "HTTP/1.1 204 None\r\n\r\n", "HTTP/2 200\r\n",
        "HTTP/1.0 ", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad",
        "Content-Range: bytes 0-4/5\r\n", "WWW-Authenticate: Basic\r\n",
        "Proxy-Authenticate: NTLM\r\n", "Retry-After: 1\r\n", "Upgrade: h2c\r\n",
        "Set-Cookie: a=b\r\n", "Alt-Svc: h2=\":1\"\r\n",
    ]

    var random: ReplyRandom

    /// A reply after one to four changes, at most 300,000 bytes of it.
    mutating func mutate(_ reply: [UInt8]) -> [UInt8] {
        var bytes = reply
        for _ in 0...random.below(4) { change(&bytes) }
        return Array(bytes.prefix(300_000))
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else {
            bytes = Array(random.pick(Self.words).utf8)
            return
        }
        // The head has most of the meaning, so most changes go there.
        let reach = random.below(3) > 0 ? min(bytes.count, 200) : bytes.count
        let place = random.below(reach)
        switch random.below(11) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes[place] = random.pick([0, 9, 10, 13, 32, 48, 58, 59, 127, 128, 255])
        case 2, 3, 4: bytes.insert(contentsOf: random.pick(Self.words).utf8, at: place)
        case 5: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(12)))
        case 6: bytes.removeSubrange(place...)
        case 7: changeLines(&bytes)
        case 8: bytes.insert(random.pick([0x20, 0x09]), at: lineStart(bytes, before: place))
        case 9:
            let piece = bytes[place..<min(bytes.count, place + 1 + random.below(20))]
            let count = random.pick([2, 30, 9000])
            bytes.insert(contentsOf: Array(repeating: piece, count: count).joined(), at: place)
        default:
            let other = random.pick(ReplyCorpus.all).bytes
            bytes = Array(bytes[..<place]) + other[random.below(other.count + 1)...]
        }
    }

    /// Repeats a line, drops it, or puts it somewhere else.
    private mutating func changeLines(_ bytes: inout [UInt8]) {
        var lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false).map(Array.init)
        let place = random.below(lines.count)
        let line = lines[place]
        switch random.below(3) {
        case 0: lines.insert(line, at: random.below(lines.count))
        case 1: lines.remove(at: place)
        default:
            lines.remove(at: place)
            lines.insert(line, at: random.below(lines.count + 1))
        }
        bytes = Array(lines.joined(separator: [0x0a]))
    }

    private func lineStart(_ bytes: [UInt8], before place: Int) -> Int {
        (bytes[..<place].lastIndex(of: 0x0a) ?? -1) + 1
    }
}
