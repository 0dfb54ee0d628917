// The steps of the scripted origin.
internal import Glibc
internal import Synchronization

/// An action of the origin on a connection.
package enum OriginStep: Sendable {
    /// Sends text unchanged; the script provides line ends.
    case send(String)
    /// Sends bytes.
    case sendBytes([UInt8])
    /// Sends a byte many times, in pieces.
    case fill(UInt8, count: Int)
    /// Sends one byte at a time with a pause between.
    case drip(String, everyMilliseconds: Int)
    /// Waits for a time.
    case rest(milliseconds: Int)
    /// Waits until the gate opens.
    case wait(OriginGate)
    /// Opens a gate, once the steps before it were sent.
    case open(OriginGate)
    /// Carries all further bytes to another port, as a proxy does, and ends the connection
    /// afterwards.
    case tunnel(OriginTunnel)
    /// Ends the connection with FIN.
    case close
    /// Ends the connection with RST.
    case reset

    /// A complete answer with a correct length; the connection stays open.
    package static func answer(
        _ status: String = "200 OK", headers: [String] = [], body: String = ""
    ) -> [OriginStep] {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers
        return [.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)]
    }
}

/// One request as the origin read it.
package struct OriginRequest: Sendable {
    /// The number of the connection, from 1.
    package let connection: Int
    /// The method.
    package let method: String
    /// The request target as sent.
    package let target: String
    /// The headers in order, names in lower case.
    package let headers: [(name: String, value: String)]
    /// The body.
    package let body: [UInt8]
    /// The bytes of the request line and the header lines.
    package let head: [UInt8]

    /// The first value of a header; the name in lower case.
    package subscript(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The bytes of the first value of a header; the name in lower case.
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

    /// Creates a closed gate that opens by itself after this number of seconds.
    package init(seconds: Int = 30) { milliseconds = seconds * 1000 }

    /// Opens the gate for good.
    package func open() { isOpen.withLock { $0 = true } }

    /// Whether the gate was opened.
    package var wasOpened: Bool { isOpen.withLock { $0 } }

    /// Waits until the gate is open.
    func wait() {
        for _ in 0..<milliseconds {
            if isOpen.withLock({ $0 }) { return }
            usleep(1000)
        }
    }
}
