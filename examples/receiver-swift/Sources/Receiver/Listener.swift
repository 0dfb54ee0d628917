// As much HTTP/1.1 as an example needs: one request for each connection, one at a time.
import Foundation
import Glibc

/// A request, and the connection on which its answer goes.
struct Request {
    /// Header fields by their names in lower case.
    let fields: [String: String]
    let body: Data
    fileprivate let connection: FileHandle

    /// Answers with a status, and ends the connection.
    func answer(_ status: String) {
        let head = "HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        try? connection.write(contentsOf: Data(head.utf8))
        try? connection.close()
    }
}

/// A socket on loopback that takes requests.
struct Listener {
    private static let bytesAtMost = 1 << 20
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
        guard number >= 0, bound == 0, listen(number, 16) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// The next request that can be read; nil when the socket fails.
    func next() -> Request? {
        while true {
            let connection = accept(number, nil, nil)
            guard connection >= 0 else { return nil }
            // A sender that is silent must not stop the others.
            var limit = timeval(tv_sec: 10, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
            let handle = FileHandle(fileDescriptor: connection, closeOnDealloc: true)
            if let request = read(handle) { return request }
        }
    }

    private func read(_ connection: FileHandle) -> Request? {
        var bytes = Data()
        let end = Data("\r\n\r\n".utf8)
        var fields: [String: String] = [:]
        var start: Int?
        while bytes.count <= Listener.bytesAtMost {
            if start == nil, let found = bytes.range(of: end) {
                start = found.upperBound
                fields = Listener.fields(String(decoding: bytes[..<found.lowerBound], as: UTF8.self))
            }
            if let start, let length = Int(fields["content-length"] ?? ""),
                bytes.count >= start + length
            {
                let body = bytes[start..<start + length]
                return Request(fields: fields, body: Data(body), connection: connection)
            }
            var room = [UInt8](repeating: 0, count: 65_536)
            let count = Glibc.read(connection.fileDescriptor, &room, room.count)
            guard count > 0 else { return nil }
            bytes += room[..<count]
        }
        return nil
    }

    private static func fields(_ head: String) -> [String: String] {
        var fields: [String: String] = [:]
        for line in head.components(separatedBy: "\r\n").dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...]
            fields[line[..<colon].lowercased()] = value.trimmingCharacters(in: .whitespaces)
        }
        return fields
    }
}
