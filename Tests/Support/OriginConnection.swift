// One connection of the scripted origin: blocking reads and writes.
internal import Glibc
internal import Platform

/// Reads requests and plays scripts on a blocking socket.
struct OriginConnection {
    private static let headBytesMax = 65_536
    private static let bodyBytesMax = 16_777_216

    private let descriptor: Int32
    private let number: Int
    private var pending: [UInt8] = []

    init(descriptor: Int32, number: Int) {
        self.descriptor = descriptor
        self.number = number
    }

    /// Reads the next request; nil if the stream ended or is not HTTP.
    mutating func nextRequest() -> OriginRequest? {
        var end = headEnd()
        while end == nil {
            guard pending.count < Self.headBytesMax, readMore() else { return nil }
            end = headEnd()
        }
        guard let end else { return nil }
        let head = Array(pending[..<end])
        let lines = String(decoding: head, as: UTF8.self)
            .split(separator: "\r\n").map(String.init)
        pending.removeFirst(end + 4)
        guard let words = lines.first?.split(separator: " "), words.count == 3 else { return nil }
        let headers = lines.dropFirst().map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            let value = line[colon...].dropFirst().drop { $0 == " " }
            return (name: line[..<colon].lowercased(), value: String(value))
        }
        let length = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
        guard (0...Self.bodyBytesMax).contains(length) else { return nil }
        while pending.count < length { guard readMore() else { return nil } }
        let body = Array(pending.prefix(length))
        pending.removeFirst(length)
        return OriginRequest(
            connection: number, method: String(words[0]), target: String(words[1]),
            headers: headers, body: body, head: head)
    }

    /// Performs the steps; returns false if the connection is over.
    func play(_ steps: [OriginStep]) -> Bool {
        for step in steps {
            switch step {
            case .send(let text): guard send(Array(text.utf8)) else { return false }
            case .sendBytes(let bytes): guard send(bytes) else { return false }
            case .fill(let byte, var count):
                let piece = [UInt8](repeating: byte, count: 65_536)
                while count > 0 {
                    guard send(Array(piece.prefix(count))) else { return false }
                    count -= min(count, piece.count)
                }
            case .drip(let text, let milliseconds):
                for byte in text.utf8 {
                    guard send([byte]) else { return false }
                    usleep(UInt32(milliseconds) * 1000)
                }
            case .rest(let milliseconds): usleep(UInt32(milliseconds) * 1000)
            case .wait(let gate): gate.wait()
            case .open(let gate): gate.open()
            case .tunnel(let tunnel):
                // Bytes that came with the request belong to the other side; clients wait for the
                // answer.
                _ = tunnel.carry(descriptor)
                return false
            case .close: return false
            case .reset:
                var option = linger(l_onoff: 1, l_linger: 0)
                let size = socklen_t(MemoryLayout<linger>.size)
                _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, size)
                return false
            }
        }
        return true
    }

    private func headEnd() -> Int? {
        guard pending.count >= 4 else { return nil }
        return (0...(pending.count - 4)).first { index in
            pending[index] == 13 && pending[index + 1] == 10 && pending[index + 2] == 13
                && pending[index + 3] == 10
        }
    }

    private mutating func readMore() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
            if count < 0, Errno.current == .interrupted { continue }
            guard count > 0 else { return false }
            pending += chunk[..<count]
            return true
        }
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
                return unsafe Glibc.send(
                    descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, Errno.current == .interrupted { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
