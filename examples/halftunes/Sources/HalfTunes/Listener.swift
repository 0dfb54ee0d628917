// As much HTTP/1.1 as an example needs: one request for each connection, one at a time, on loopback.
import Foundation
import Glibc

struct Request {
    let method: String
    let path: String
    /// Header fields by their names in lower case.
    let fields: [String: String]
    let body: Data
}

struct Response {
    let status: String
    var type = "text/plain"
    var body = Data()
    var fields: [String: String] = [:]
}

struct Listener {
    private static let bytesAtMost = 1 << 16
    private let number: Int32

    init(port: UInt16) throws {
        number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard number >= 0, bound == 0, listen(number, 64) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    func serve(_ answer: (Request) -> Response) {
        // A player that goes away must not end the program.
        signal(SIGPIPE, SIG_IGN)
        while true {
            let connection = accept(number, nil, nil)
            guard connection >= 0 else { return }
            // A client that is silent must not stop the others.
            var limit = timeval(tv_sec: 2, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
            setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
            if let request = read(connection) { write(answer(request), to: connection) }
            close(connection)
        }
    }

    private func read(_ connection: Int32) -> Request? {
        var bytes = Data()
        while bytes.count <= Listener.bytesAtMost {
            if let end = bytes.range(of: Data("\r\n\r\n".utf8)) {
                let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
                    .components(separatedBy: "\r\n")
                let words = lines[0].split(separator: " ").map(String.init)
                let fields = Listener.fields(lines.dropFirst())
                let length = Int(fields["content-length"] ?? "0") ?? 0
                guard words.count == 3, length >= 0 else { return nil }
                if bytes.count - end.upperBound >= length {
                    let body = bytes[end.upperBound..<end.upperBound + length]
                    return Request(method: words[0], path: words[1], fields: fields, body: Data(body))
                }
            }
            var room = [UInt8](repeating: 0, count: 16_384)
            let count = Glibc.read(connection, &room, room.count)
            guard count > 0 else { return nil }
            bytes += room[..<count]
        }
        return nil
    }

    private static func fields(_ lines: some Sequence<String>) -> [String: String] {
        var fields: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...]
            fields[line[..<colon].lowercased()] = value.trimmingCharacters(in: .whitespaces)
        }
        return fields
    }

    private func write(_ response: Response, to connection: Int32) {
        var head = "HTTP/1.1 \(response.status)\r\nContent-Type: \(response.type)\r\n"
        head += "Content-Length: \(response.body.count)\r\nAccept-Ranges: bytes\r\n"
        for (name, value) in response.fields { head += "\(name): \(value)\r\n" }
        let bytes = Array(Data((head + "Cache-Control: no-store\r\nConnection: close\r\n\r\n").utf8))
            + Array(response.body)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(connection, $0.baseAddress?.advanced(by: sent), bytes.count - sent)
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}
