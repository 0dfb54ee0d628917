// The connection of a CONNECT proxy once it has agreed: arbitrary bytes in both directions.
internal import Glibc
internal import Platform
internal import Synchronization

/// A tunnel from connections of the scripted origin to a port of this machine.
package final class OriginTunnel: Sendable {
    private static let bytesKept = 1 << 20
    private let port: Int
    private let endsBeforeAlerts: Bool
    private let bytes = Mutex<[UInt8]>([])

    /// Creates a tunnel to a port on 127.0.0.1.
    ///
    /// - Parameters:
    ///   - port: where a server listens.
    ///   - endsBeforeAlerts: whether a TLS alert of the server is left out and ends it, so that the
    ///     connection ends without close_notify.
    package init(to port: Int, endsBeforeAlerts: Bool = false) {
        self.port = port
        self.endsBeforeAlerts = endsBeforeAlerts
    }

    /// The bytes that clients sent through it, the first MiB of all connections together.
    package var seen: [UInt8] { bytes.withLock { $0 } }

    /// Carries bytes until either side ends; returns false if the port does not answer.
    func carry(_ client: Int32) -> Bool {
        guard let server = OriginTunnel.connect(to: port) else { return false }
        defer { _ = close(server) }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var records = TLSRecords()
        var both = [
            pollfd(fd: client, events: Int16(POLLIN), revents: 0),
            pollfd(fd: server, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let count = unsafe poll(&both, 2, 30_000)
            if count < 0, Errno.current == .interrupted { continue }
            guard count > 0 else { return true }
            for place in both.indices where both[place].revents != 0 {
                let received = unsafe recv(both[place].fd, &chunk, chunk.count, 0)
                guard received > 0 else { return true }
                if place == 0 {
                    bytes.withLock { bytes in
                        let room = max(0, OriginTunnel.bytesKept - bytes.count)
                        bytes += chunk[..<min(received, room)]
                    }
                }
                let piece = chunk[..<received]
                let kept = place == 1 && endsBeforeAlerts ? records.untilAlert(piece) : piece
                guard OriginTunnel.send(kept, to: both[1 - place].fd), !records.hasEnded else {
                    return true
                }
            }
        }
    }

    private static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, Errno.current == .interrupted { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Connects to a port on 127.0.0.1; nil if that fails.
    static func connect(to port: Int) -> Int32? {
        // The numbers of SOCK_STREAM and SOCK_CLOEXEC, which Swift sees or not depending on the
        // order of files.
        let descriptor = socket(AF_INET, 1 | 0o2_000_000, 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, length)
            }
        }
        guard result == 0 else {
            _ = close(descriptor)
            return nil
        }
        return descriptor
    }
}

/// Parses a stream of TLS records (RFC 8446 section 5.1).
private struct TLSRecords {
    /// Whether an alert has arrived.
    private(set) var hasEnded = false
    private var pending: [UInt8] = []

    /// Takes bytes, and returns the complete records before the first alert.
    mutating func untilAlert(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        pending += bytes
        var end = 0
        while pending.count >= end + 5, !hasEnded {
            let length = Int(pending[end + 3]) << 8 | Int(pending[end + 4])
            guard pending.count >= end + 5 + length else { break }
            // TLS 1.3 encrypts the kind; an alert has two bytes, one of its kind and sixteen of
            // authentication.
            hasEnded = pending[end] == 21 || pending[end] == 23 && length == 19
            if !hasEnded { end += 5 + length }
        }
        defer { pending.removeFirst(end) }
        return pending[..<end]
    }
}
