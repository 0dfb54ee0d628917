// A small HTTP client whose own cost is known: sockets, one request at a time on each.
import Foundation

/// An answer.
struct HTTPAnswer {
    let status: Int
    let body: [UInt8]
    /// The bytes of head and body together.
    let bytes: Int
    let closes: Bool

    /// The body as JSON.
    func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: Data(body))
    }
}

/// A connection to a server on loopback.
final class HTTPConnection {
    let descriptor: Int32
    private let port: Int
    private var buffer: [UInt8] = []

    /// Connects; a small receive buffer makes a client that is slow to read.
    init(port: Int, receiveBuffer: Int32? = nil) throws {
        self.port = port
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw BenchmarkError("no socket") }
        if var receiveBuffer {
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw BenchmarkError("nothing listens on port \(port)")
        }
        var one: Int32 = 1
        _ = unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    }

    deinit { close(descriptor) }

    /// Sends a request; bodies are JSON.
    func send(_ method: String, _ path: String, body: String = "") throws {
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
            + (body.isEmpty ? "" : "Content-Type: application/json\r\n")
            + (body.isEmpty && method == "GET" ? "" : "Content-Length: \(body.utf8.count)\r\n")
        try write(head + "\r\n" + body)
    }

    /// Sends a text as it is.
    func write(_ text: String) throws {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Foundation.send(
                    descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw BenchmarkError("the server closed port \(port)") }
            sent += count
        }
    }

    /// Reads the available bytes once; returns the answer once it is whole.
    func receive() throws -> HTTPAnswer? {
        let count = unsafe withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { room in
            let count = unsafe recv(descriptor, room.baseAddress, room.count, 0)
            if count > 0 { unsafe buffer.append(contentsOf: room[..<count]) }
            return count
        }
        guard count > 0 else { throw BenchmarkError("the server closed port \(port)") }
        return try answer()
    }

    /// Sends a request and returns its answer.
    func exchange(_ method: String, _ path: String, body: String = "") throws -> HTTPAnswer {
        try send(method, path, body: body)
        while true {
            if let answer = try receive() { return answer }
        }
    }

    private func answer() throws -> HTTPAnswer? {
        guard let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
            .split(separator: "\r\n")
        let fields = lines.dropFirst().map { $0.lowercased() }
        func field(_ name: String) -> String? {
            fields.first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
        }
        let words = lines[0].split(separator: " ")
        guard let status = Int(words[1]), let length = Int(field("content-length") ?? "0") else {
            throw BenchmarkError("port \(port) does not speak HTTP")
        }
        let whole = end.upperBound + length
        guard buffer.count >= whole else { return nil }
        let body = Array(buffer[end.upperBound..<whole])
        buffer.removeFirst(whole)
        return HTTPAnswer(
            status: status, body: body, bytes: whole, closes: field("connection") == "close")
    }
}
