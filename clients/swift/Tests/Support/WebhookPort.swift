public import Foundation
import Glibc

/// A socket of loopback that takes one request at a time and answers it with a status.
public final class WebhookPort: Sendable {
    /// A request as it came.
    public struct Request: Sendable {
        /// Header fields by their names in lower case.
        public let fields: [String: String]
        /// The bytes of its body.
        public let body: Data
    }

    /// Where it listens.
    public let url: String
    private let listener: Int32

    /// Begins to listen.
    public init() {
        let port = Program.freePort()
        url = "http://127.0.0.1:\(port)/"
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        address.sin_port = port.bigEndian
        let listener = listener
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                guard bind(listener, raw, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0,
                    listen(listener, 16) == 0
                else { preconditionFailure("a free port is not free") }
            }
        }
        // A wait that is in vain fails the test.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(
            listener, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(listener) }

    /// Takes the next request, and answers it; nil where none comes within a minute.
    public func next(answering status: String) async -> Request? {
        await withCheckedContinuation { waiting in
            Thread.detachNewThread { [self] in waiting.resume(returning: take(status)) }
        }
    }

    private func take(_ status: String) -> Request? {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return nil }
        defer { close(connection) }
        var bytes = Data()
        while true {
            var room = [UInt8](repeating: 0, count: 65_536)
            let count = read(connection, &room, room.count)
            guard count > 0 else { return nil }
            bytes += room[..<count]
            guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { continue }
            var fields: [String: String] = [:]
            for line in String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
                .components(separatedBy: "\r\n").dropFirst()
            {
                guard let colon = line.firstIndex(of: ":") else { continue }
                fields[line[..<colon].lowercased()] = line[line.index(after: colon)...]
                    .trimmingCharacters(in: .whitespaces)
            }
            let length = Int(fields["content-length"] ?? "") ?? 0
            guard bytes.count >= end.upperBound + length else { continue }
            let head = "HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            _ = send(connection, head, head.utf8.count, Int32(MSG_NOSIGNAL))
            return Request(fields: fields, body: Data(bytes[end.upperBound...].prefix(length)))
        }
    }
}
