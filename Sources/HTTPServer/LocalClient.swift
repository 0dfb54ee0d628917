// One request to a service on this machine, over TCP or a Unix socket.
internal import CPlatform
internal import Glibc
internal import Platform

/// A client for health probes: one connection, one GET, one answer of at most 64 KiB.
package enum LocalClient {
    private static let bytesAtMost = 65_536

    /// Sends the request and waits for the answer; blocks the thread.
    ///
    /// - Parameters:
    ///   - path: the path of the request.
    ///   - address: where the service listens.
    ///   - limit: how long all of it may take.
    /// - Returns: the status and the body.
    /// - Throws: `connect-failed`, or `no-answer` for silence and for what is not HTTP.
    package static func get(
        _ path: String, at address: ListenAddress, within limit: Duration
    ) throws(ServerError) -> (status: Int, body: [UInt8]) {
        let end = SystemClock.bootNanoseconds() + Int64(limit / .nanoseconds(1))
        let socket = try connect(to: address, within: limit)
        let request = Array(
            "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        let number = socket.rawValue
        guard unsafe send(number, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
        else { throw ServerError(code: "no-answer", address: address.description, errno: .current) }
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 8_192)
        while bytes.count < bytesAtMost {
            let left = end - SystemClock.bootNanoseconds()
            var watched = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            guard left > 0, unsafe poll(&watched, 1, Int32(left / 1_000_000) + 1) > 0 else {
                throw ServerError(
                    code: "no-answer", address: address.description,
                    errno: Errno(rawValue: ETIMEDOUT))
            }
            let count = unsafe recv(number, &room, room.count, 0)
            guard count > 0 else { break }
            bytes += room[..<count]
        }
        guard let answer = parse(bytes) else {
            throw ServerError(code: "no-answer", address: address.description)
        }
        return answer
    }

    /// Splits `HTTP/1.1 200 …`, the head and the body, which the end of the connection ends.
    static func parse(_ bytes: [UInt8]) -> (status: Int, body: [UInt8])? {
        let text = Array("HTTP/1.1 ".utf8)
        let rest = bytes.dropFirst(text.count)
        guard bytes.starts(with: text),
            let status = Int(String(decoding: rest.prefix(3), as: UTF8.self)),
            let head = rest.indices.first(where: { rest[$0...].starts(with: [13, 10, 13, 10]) })
        else { return nil }
        return (status, Array(rest[(head + 4)...]))
    }

    private static func connect(
        to address: ListenAddress, within limit: Duration
    ) throws(ServerError) -> FileDescriptor {
        let outcome: Result<Int32, Errno>
        switch address {
        case .unix(let path):
            var place = UnixAddress(path: path)
            outcome = open(AF_UNIX, limit) { place.connect($0) }
        case .internet(let host, let port):
            let found = unsafe NumericAddress.withResolved(host: host, port: port) { info in
                unsafe open(info.ai_family, limit) {
                    unsafe Glibc.connect($0, info.ai_addr, info.ai_addrlen)
                }
            }
            outcome = found ?? .failure(Errno(rawValue: EADDRNOTAVAIL))
        }
        switch outcome {
        case .success(let number): return FileDescriptor(owning: number)
        case .failure(let errno):
            throw ServerError(
                code: "connect-failed", address: address.description, errno: errno)
        }
    }

    /// Opens a connected socket; SO_SNDTIMEO bounds connect(2) too, see socket(7).
    private static func open(
        _ family: Int32, _ limit: Duration, _ connect: (Int32) -> Int32
    ) -> Result<Int32, Errno> {
        let number = socket(
            family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return .failure(.current) }
        var time = timeval(tv_sec: Int(limit.components.seconds), tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        guard unsafe setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &time, size) == 0,
            connect(number) == 0
        else {
            let failure = Errno.current
            _ = close(number)  // Nothing is left to do with an error of close(2).
            return .failure(failure)
        }
        return .success(number)
    }
}
