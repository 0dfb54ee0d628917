// A socket that waits for connections.
internal import CPlatform
internal import Glibc
internal import Platform

/// A bound and listening socket, closed with its last reference.
final class Listener {
    /// The bound address, with the port that the system chose.
    let address: ListenAddress
    private let socket: FileDescriptor

    /// The descriptor's number.
    var descriptor: Int32 { socket.rawValue }

    /// Binds the address and listens.
    ///
    /// - Parameters:
    ///   - wanted: where.
    ///   - writeStall: after so many nanoseconds without a client taking anything the kernel gives
    ///     its connection up (TCP_USER_TIMEOUT in tcp(7)), also one that is closed here.
    /// - Throws: `address-invalid`, `address-in-use` or `listen-failed`.
    init(_ wanted: ListenAddress, writeStall: Int64) throws(ServerError) {
        switch wanted {
        case .internet(let host, let port):
            socket = try Self.listen(
                host: host, port: port, writeStall: Int32(clamping: writeStall / 1_000_000),
                wanted: wanted)
            guard let bound = Self.boundAddress(socket.rawValue) else {
                throw Self.error(.current, wanted)
            }
            address = .internet(host: bound.host, port: bound.port)
        case .unix(let path):
            socket = try Self.listen(path: path, wanted: wanted)
            address = wanted
        }
    }

    deinit {
        // A child holds a copy of the descriptor between fork(2) and execve(2). With close(2) alone
        // the socket would go on listening until then.
        _ = shutdown(socket.rawValue, Int32(SHUT_RDWR))
    }

    /// Removes the file of a Unix socket.
    func removeFile() {
        // A file that is already gone needs no removal.
        if case .unix(let path) = address { _ = unsafe unlink(path) }
    }

    private static func listen(
        host: String, port: Int, writeStall milliseconds: Int32, wanted: ListenAddress
    ) throws(ServerError) -> FileDescriptor {
        let made = unsafe NumericAddress.withResolved(host: host, port: port) {
            info -> Result<Int32, Errno> in
            let family = unsafe info.ai_family
            let descriptor = Glibc.socket(
                family, Int32(SOCK_STREAM.rawValue) | streamFlags, 0)
            guard descriptor >= 0 else { return .failure(.current) }
            // Accepted sockets inherit these from the listening one on Linux.
            guard set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1),
                family != AF_INET6
                    || set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1),
                set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1),
                set(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, max(1, milliseconds)),
                set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1),
                unsafe bind(descriptor, info.ai_addr, info.ai_addrlen) == 0,
                Glibc.listen(descriptor, backlog) == 0
            else {
                let failure = Errno.current
                _ = close(descriptor)  // Nothing is left to do with an error of close(2).
                return .failure(failure)
            }
            return .success(descriptor)
        }
        switch made {
        case nil: throw ServerError(code: "address-invalid", address: wanted.description)
        case .failure(let errno): throw error(errno, wanted)
        case .success(let descriptor):
            return FileDescriptor(owning: descriptor)
        }
    }

    private static func listen(
        path: String, wanted: ListenAddress
    ) throws(ServerError) -> FileDescriptor {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | streamFlags, 0)
        guard descriptor >= 0 else { throw error(.current, wanted) }
        let socket = FileDescriptor(owning: descriptor)
        var address = UnixAddress(path: path)
        if address.bind(descriptor) != 0 {
            let failure = Errno.current
            guard failure.rawValue == EADDRINUSE, isStale(path: path) else {
                throw error(failure, wanted)
            }
            guard unsafe unlink(path) == 0, address.bind(descriptor) == 0 else {
                throw error(.current, wanted)
            }
        }
        guard Glibc.listen(descriptor, backlog) == 0 else { throw error(.current, wanted) }
        return socket
    }

    /// Whether the path is a socket file on which no process listens.
    private static func isStale(path: String) -> Bool {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            return false
        }
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | streamFlags, 0)
        guard descriptor >= 0 else { return false }
        let probe = FileDescriptor(owning: descriptor)
        var address = UnixAddress(path: path)
        return address.connect(probe.rawValue) != 0 && Errno.current.rawValue == ECONNREFUSED
    }

    private static let streamFlags = Int32(
        SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    private static let backlog: Int32 = 4096

    private static func set(
        _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32
    ) -> Bool {
        var value = value
        return unsafe setsockopt(
            descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    private static func boundAddress(_ descriptor: Int32) -> (host: String, port: Int)? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard unsafe getsockname(descriptor, address, &length) == 0 else { return nil }
                return unsafe NumericAddress.text(of: address, length: length)
            }
        }
    }

    private static func error(_ errno: Errno, _ wanted: ListenAddress) -> ServerError {
        let code = errno.rawValue == EADDRINUSE ? "address-in-use" : "listen-failed"
        return ServerError(code: code, address: wanted.description, errno: errno)
    }
}
