// The vocabulary of the scripted origin.
internal import Glibc
internal import Synchronization

/// What the origin does next on a connection.
package enum OriginStep: Sendable {
    /// Sends text as it is; line ends are the script's business.
    case send(String)
    /// Sends bytes.
    case sendBytes([UInt8])
    /// Sends a byte many times, in pieces.
    case fill(UInt8, count: Int)
    /// Sends one byte at a time with a pause between.
    case drip(String, everyMilliseconds: Int)
    /// Does nothing for a while.
    case rest(milliseconds: Int)
    /// Waits until the gate opens.
    case wait(OriginGate)
    /// Opens a gate: what stands before it was sent.
    case open(OriginGate)
    /// Carries everything that follows to another port, as a proxy does; then the end.
    case tunnel(OriginTunnel)
    /// Ends the connection with FIN.
    case close
    /// Ends the connection with RST.
    case reset

    /// A whole answer with a correct length; the connection stays.
    package static func answer(
        _ status: String = "200 OK", headers: [String] = [], body: String = ""
    ) -> [OriginStep] {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers
        return [.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)]
    }
}

/// One request as the origin read it.
package struct OriginRequest: Sendable {
    /// The connection's number, from 1.
    package let connection: Int
    /// The method.
    package let method: String
    /// The request target as sent.
    package let target: String
    /// The headers in order, names in lower case.
    package let headers: [(name: String, value: String)]
    /// The body.
    package let body: [UInt8]
    /// The request line and the header lines as they came.
    package let head: [UInt8]

    /// The first value under a lower-case name.
    package subscript(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The bytes of the first value under a lower-case name.
    package func bytes(_ name: String) -> [UInt8]? {
        let start = Array("\(name): ".utf8)
        let line = head.split(separator: 0x0d).map { $0.drop { $0 == 0x0a } }
            .first { String(decoding: $0, as: UTF8.self).lowercased().utf8.starts(with: start) }
        return line.map { Array($0.dropFirst(start.count)) }
    }
}

/// A gate that holds connections back until a test opens it.
package final class OriginGate: Sendable {
    private let isOpen = Mutex(false)

    private let milliseconds: Int

    /// A closed gate that opens by itself after so many seconds.
    package init(seconds: Int = 30) { milliseconds = seconds * 1000 }

    /// Opens the gate for good.
    package func open() { isOpen.withLock { $0 = true } }

    /// Whether it was opened.
    package var wasOpened: Bool { isOpen.withLock { $0 } }

    /// Waits for the gate.
    func wait() {
        for _ in 0..<milliseconds {
            if isOpen.withLock({ $0 }) { return }
            usleep(1000)
        }
    }
}
