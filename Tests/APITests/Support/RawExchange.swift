// Bytes sent over a socket, and every byte that came back.
import Glibc
import HTTPServer
import Platform

/// A connection that sends its whole text at once and reads to the end.
actor RawExchange {
    struct Failure: Error { let what: String }

    private let lane = QueueExecutor(label: "raw exchange")

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe lane.asUnownedSerialExecutor()
    }

    /// Sends a text and returns the answer; every wait ends after 20 seconds.
    func send(_ text: String, to address: ListenAddress) throws -> String {
        guard case .internet(_, let port) = address else { throw Failure(what: "no port") }
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let number = Glibc.socket(AF_INET, type, 0)
        guard number >= 0 else { throw Failure(what: "socket: \(Errno.current)") }
        defer { _ = Glibc.close(number) }
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = in_port_t(port).bigEndian
        name.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        let isOpen = unsafe withUnsafePointer(to: &name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isOpen, unsafe setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, size) == 0
        else { throw Failure(what: "connect: \(Errno.current)") }
        let bytes = Array(text.utf8)
        let sent = unsafe bytes.withUnsafeBytes { room in
            unsafe Glibc.send(number, room.baseAddress, room.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == bytes.count else { throw Failure(what: "send: \(Errno.current)") }
        var received: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe room.withUnsafeMutableBytes {
                unsafe recv(number, $0.baseAddress, $0.count, 0)
            }
            guard count >= 0 else { throw Failure(what: "recv: \(Errno.current)") }
            if count == 0 { return String(decoding: received, as: UTF8.self) }
            received += room[..<count]
        }
    }
}
