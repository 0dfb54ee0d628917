// The scripted origin's side of a connection, for tests that say when it reads.
internal import Glibc
internal import Platform

/// One connection of an origin that reads and writes as a test wants; used on its own thread.
package final class OriginPeer {
    /// The number of the connection, from 1.
    package let number: Int
    private let descriptor: Int32
    private var pending: [UInt8] = []

    init(descriptor: Int32, number: Int) {
        self.descriptor = descriptor
        self.number = number
    }

    /// Reads the head of a request.
    ///
    /// - Returns: its lines; nil if the stream ended before.
    package func head() -> [String]? {
        while true {
            if let end = headEnd() {
                let text = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeFirst(end + 4)
                return text.split(separator: "\r\n").map(String.init)
            }
            guard readMore(65_536) else { return nil }
        }
    }

    /// Reads bytes of a body.
    ///
    /// - Parameter count: how many; fewer come at the end of the stream only.
    /// - Returns: the bytes.
    package func body(_ count: Int) -> [UInt8] {
        while pending.count < count, readMore(count - pending.count) {}
        let bytes = Array(pending.prefix(count))
        pending.removeFirst(bytes.count)
        return bytes
    }

    /// Whether no byte comes for this time, and no end.
    package func isQuiet(milliseconds: Int32) -> Bool {
        guard pending.isEmpty else { return false }
        var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&waited, 1, milliseconds) == 0
    }

    /// Waits for the end of the stream, and drops what comes before.
    ///
    /// - Returns: the number of bytes that came.
    package func untilEnd() -> Int {
        var count = pending.count
        pending = []
        while readMore(65_536) {
            count += pending.count
            pending = []
        }
        return count
    }

    /// Sends a text unchanged; false if the connection is lost.
    @discardableResult
    package func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
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

    /// Waits for a time.
    package func rest(milliseconds: Int) { usleep(UInt32(milliseconds) * 1000) }

    /// Waits until a gate opens.
    package func wait(_ gate: OriginGate) { gate.wait() }

    /// Makes the end of the connection a reset, whether bytes were left unread or not.
    package func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, size)
    }

    /// Ends the stream to the other side, and drops what still comes.
    package func end() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
        _ = untilEnd()
    }

    private func headEnd() -> Int? {
        guard pending.count >= 4 else { return nil }
        return (0...(pending.count - 4)).first { index in
            pending[index] == 13 && pending[index + 1] == 10 && pending[index + 2] == 13
                && pending[index + 3] == 10
        }
    }

    private func readMore(_ most: Int) -> Bool {
        var chunk = [UInt8](repeating: 0, count: min(most, 65_536))
        while true {
            let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
            if count < 0, Errno.current == .interrupted { continue }
            guard count > 0 else { return false }
            pending += chunk[..<count]
            return true
        }
    }
}
