// A plain client for tests: it sends exact bytes and blocks on a lane of its own.
import Glibc
import HTTPServer
import Platform

/// One connection to the server under test; every wait ends after 20 seconds.
actor Client {
    /// The parts of an answer.
    struct Reply: Equatable {
        var status: Int
        var fields: [String: String]
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    struct Failure: Error { var what: String }

    private let lane = QueueExecutor(label: "client")
    private let address: ListenAddress
    private var socket: FileDescriptor?
    private var number: Int32 = -1
    private var received: [UInt8] = []
    private var isAtEnd = false

    init(_ address: ListenAddress) { self.address = address }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe lane.asUnownedSerialExecutor()
    }

    /// Connects; small receive buffers make a client that is slow to read.
    func open(receiveBuffer: Int32? = nil) throws {
        let isUnix = if case .unix = address { true } else { false }
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        number = Glibc.socket(isUnix ? AF_UNIX : AF_INET, type, 0)
        guard number >= 0 else { throw Failure(what: "socket: \(Errno.current)") }
        socket = FileDescriptor(owning: number)
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        guard unsafe setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, size) == 0,
            unsafe setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &patience, size) == 0
        else { throw Failure(what: "setsockopt: \(Errno.current)") }
        if var bytes = receiveBuffer {
            let result = unsafe setsockopt(
                number, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
            guard result == 0 else { throw Failure(what: "setsockopt: \(Errno.current)") }
        }
        guard connectNow() == 0 else { throw Failure(what: "connect: \(Errno.current)") }
    }

    private func connectNow() -> Int32 {
        switch address {
        case .internet(_, let port):
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = in_port_t(port).bigEndian
            name.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
            return connect(name)
        case .unix(let path):
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &name.sun_path) {
                unsafe $0.copyBytes(from: path.utf8)
            }
            return connect(name)
        }
    }

    private func connect<Name>(_ name: Name) -> Int32 {
        unsafe withUnsafePointer(to: name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(number, $0, socklen_t(MemoryLayout<Name>.size))
            }
        }
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Sends all bytes; throws if the other side has closed.
    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { room in
                unsafe Glibc.send(
                    number, UnsafeRawBufferPointer(rebasing: room[sent...]).baseAddress,
                    room.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(what: "send: \(Errno.current)") }
            sent += count
        }
    }

    /// Closes the sending direction.
    func finish() throws {
        guard shutdown(number, Int32(SHUT_WR)) == 0 else {
            throw Failure(what: "shutdown: \(Errno.current)")
        }
    }

    func close() {
        socket = nil
        number = -1
    }

    /// Closes in a way that the other side sees as a reset.
    func reset() throws {
        var option = linger(l_onoff: 1, l_linger: 0)
        let result = unsafe setsockopt(
            number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        guard result == 0 else { throw Failure(what: "setsockopt: \(Errno.current)") }
        close()
    }

    /// The next answer.
    func reply(toHead: Bool = false) throws -> Reply {
        while true {
            if let reply = try parse(toHead: toHead) { return reply }
            guard !isAtEnd else { throw Failure(what: "the connection ended in an answer") }
            try receive()
        }
    }

    /// Sends and takes the next answer.
    func ask(_ text: String) throws -> Reply {
        try send(text)
        return try reply()
    }

    /// Reads until the other side ends the connection; returns the bytes after the answers taken.
    func rest() throws -> [UInt8] {
        while !isAtEnd { try receive() }
        defer { received = [] }
        return received
    }

    private func receive() throws {
        var room = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe room.withUnsafeMutableBytes {
            unsafe recv(number, $0.baseAddress, $0.count, 0)
        }
        guard count >= 0 else { throw Failure(what: "recv: \(Errno.current)") }
        if count == 0 { isAtEnd = true }
        received += room[..<count]
    }

    private func parse(toHead: Bool) throws -> Reply? {
        guard let end = endOfHead() else { return nil }
        var lines = String(decoding: received[..<end], as: UTF8.self)
            .split(separator: "\r\n", omittingEmptySubsequences: true).map(String.init)
        let words = lines.removeFirst().split(separator: " ")
        guard words.count > 1, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw Failure(what: "this is no status line")
        }
        var fields: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { throw Failure(what: line) }
            fields[line[..<colon].lowercased()] = String(line[colon...].dropFirst(2))
        }
        if !toHead, fields["transfer-encoding"] == "chunked" {
            guard let (body, rest) = try Self.unchunk(received[(end + 4)...]) else { return nil }
            received = Array(rest)
            return Reply(status: status, fields: fields, body: body)
        }
        let length = toHead ? 0 : fields["content-length"].flatMap { Int($0) } ?? 0
        guard received.count >= end + 4 + length else { return nil }
        let body = Array(received[(end + 4)..<(end + 4 + length)])
        received.removeFirst(end + 4 + length)
        return Reply(status: status, fields: fields, body: body)
    }

    /// A complete chunked body and the bytes after it; nil until it is complete.
    static func unchunk(
        _ bytes: ArraySlice<UInt8>
    ) throws -> (body: [UInt8], rest: ArraySlice<UInt8>)? {
        var body: [UInt8] = []
        var rest = bytes
        while let end = rest.firstIndex(of: 13) {
            let digits = String(decoding: rest[..<end], as: UTF8.self)
            guard let size = Int(digits, radix: 16) else { throw Failure(what: digits) }
            guard rest.count >= digits.utf8.count + size + 4 else { return nil }
            let start = end + 2
            body += rest[start..<(start + size)]
            guard rest[start + size] == 13, rest[start + size + 1] == 10 else {
                throw Failure(what: "a chunk does not end where it says")
            }
            rest = rest[(start + size + 2)...]
            if size == 0 { return (body, rest) }
        }
        return nil
    }

    private func endOfHead() -> Int? {
        guard received.count >= 4 else { return nil }
        return (0...(received.count - 4)).first {
            received[$0...].starts(with: [13, 10, 13, 10])
        }
    }
}
