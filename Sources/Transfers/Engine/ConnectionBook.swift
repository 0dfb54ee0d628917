// The connections that an engine keeps: which may carry another request.
internal import CPlatform
internal import Core
internal import Glibc

/// Knows how many bytes the answers on each connection had; engine's thread only.
///
/// libcurl 7.88 takes whatever stands on a connection for the answer to the request that it sends
/// next. So a connection is used again only if nothing came on it but its answers.
final class ConnectionBook {
    /// Both ends of a connection, which tell it from all others that are open.
    struct Ends: Hashable {
        /// The address and the port here.
        let local: IPAddress, localPort: Int
        /// The address and the port of the other side.
        let remote: IPAddress, remotePort: Int
    }

    private struct Connection {
        let ends: Ends
        /// Bytes of the answers that were read.
        var taken: UInt64 = 0
        /// The handle whose answer is not among them; nil where each is.
        weak var user: EasyHandle?
    }

    /// Sockets of which the ends were not known when they were made.
    private var opened: Set<Int32> = []
    private var connections: [Int32: Connection] = [:]
    private var sockets: [Ends: Int32] = [:]

    /// A socket was made; its number may have been another one's before.
    func open(_ socket: Int32) {
        if let old = connections.removeValue(forKey: socket) { sockets[old.ends] = nil }
        opened.insert(socket)
    }

    /// Whether a request may go out on a connection.
    ///
    /// - Parameters:
    ///   - ends: the connection.
    ///   - isSecure: whether its bytes are encrypted, so that they cannot be counted.
    ///   - easy: the handle that would send it.
    /// - Returns: false for a kept one that brought bytes nobody asked for, or that is at its end.
    func mayCarry(_ ends: Ends, isSecure: Bool, by easy: EasyHandle) -> Bool {
        if let socket = sockets[ends], var known = connections[socket] {
            // libcurl gives a connection to the next handle before it says that one has finished.
            if let last = known.user, last !== easy { known.taken += last.received }
            known.user = easy
            connections[socket] = known
            return ConnectionBook.isClean(socket, taken: isSecure ? nil : known.taken)
        }
        // Nearly always the one that the handle waited for.
        let isLikely =
            opened.contains(easy.socket) && ConnectionBook.ends(of: easy.socket) == ends
        let found = isLikely ? easy.socket : opened.first { ConnectionBook.ends(of: $0) == ends }
        if let found {
            opened.remove(found)
            connections[found] = Connection(ends: ends, user: easy)
            sockets[ends] = found
        }
        return true
    }

    /// An answer was read to its end.
    ///
    /// - Parameters:
    ///   - easy: the handle that has read it, and knows its length with its head, as it came.
    ///   - ends: the connection.
    func take(from easy: EasyHandle, on ends: Ends) {
        guard let socket = sockets[ends], connections[socket]?.user === easy else { return }
        connections[socket]?.taken += easy.received
        connections[socket]?.user = nil
        // Bytes behind the answer may be held back until it is acknowledged (RFC 1122 section
        // 4.2.3.4): now, so that they come before the next request goes out.
        lull_acknowledge(socket)
    }

    /// Whether nothing came on a socket but the bytes that were taken, and it is open.
    private static func isClean(_ socket: Int32, taken: UInt64?) -> Bool {
        var received: UInt64 = 0
        let isEstablished = unsafe lull_received_bytes(socket, &received) == 1
        guard isEstablished else { return false }
        if let taken { return received == taken }
        var byte: UInt8 = 0
        let count = unsafe recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count < 0 && errno == EAGAIN
    }

    private static func ends(of socket: Int32) -> Ends? {
        guard let local = unsafe end(of: socket, getsockname),
            let remote = unsafe end(of: socket, getpeername)
        else { return nil }
        return Ends(
            local: local.address, localPort: local.port, remote: remote.address,
            remotePort: remote.port)
    }

    private static func end(
        of socket: Int32,
        _ call: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> (address: IPAddress, port: Int)? {
        var room = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutableBytes(of: &room) { bytes in
            guard let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                unsafe call(socket, address, &length) == 0
            else { return nil }
            return unsafe SocketAddress.read(UnsafeRawPointer(address), length: length)
        }
    }
}
