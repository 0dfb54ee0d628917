// The kept connections of an engine: decides which may carry another request.
internal import Base
internal import CPlatform
internal import Glibc

/// Counts the bytes of the answers on each connection; engine's thread only.
///
/// libcurl 7.88 takes any bytes on a connection for the answer to the request that it sends next.
/// So a connection is reused only if nothing but its answers came on it.
final class ConnectionByteCounter {
    /// Both ends of a connection, which identify it among all open ones.
    struct Ends: Hashable {
        /// The address and the port of this machine.
        let local: IPAddress, localPort: Int
        /// The address and the port of the other side.
        let remote: IPAddress, remotePort: Int
    }

    private struct Connection {
        let ends: Ends
        /// The number of bytes of the answers that were read.
        var taken: UInt64 = 0
        /// The handle whose answer is not counted yet; nil if all are.
        weak var user: EasyHandle?
    }

    /// Sockets whose ends were not known when they were created.
    private var opened: Set<Int32> = []
    private var connections: [Int32: Connection] = [:]
    private var sockets: [Ends: Int32] = [:]

    /// Notes a new socket, whose number may have been used before.
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
            // libcurl gives a connection to the next handle before it reports that the previous one
            // has finished.
            if let last = known.user, last !== easy { known.taken += last.received }
            known.user = easy
            connections[socket] = known
            return ConnectionByteCounter.isClean(socket, taken: isSecure ? nil : known.taken)
        }
        // Nearly always it is the socket that the handle waited for.
        let isLikely =
            opened.contains(easy.socket) && ConnectionByteCounter.ends(of: easy.socket) == ends
        let found =
            isLikely ? easy.socket : opened.first { ConnectionByteCounter.ends(of: $0) == ends }
        if let found {
            opened.remove(found)
            connections[found] = Connection(ends: ends, user: easy)
            sockets[ends] = found
        }
        return true
    }

    /// Counts an answer that was read to its end.
    ///
    /// - Parameters:
    ///   - easy: the handle that has read it, and knows its length with its head, as it came.
    ///   - ends: the connection.
    func take(from easy: EasyHandle, on ends: Ends) {
        guard let socket = sockets[ends], connections[socket]?.user === easy else { return }
        connections[socket]?.taken += easy.received
        connections[socket]?.user = nil
        // The other side may hold back bytes behind the answer until it is acknowledged (RFC 1122
        // section 4.2.3.4), so it is acknowledged now: then they come before the next request is
        // sent.
        lull_acknowledge(socket)
    }

    /// The socket of a connection that has carried a request; nil if it is not known.
    func socket(of ends: Ends) -> Int32? { sockets[ends] }

    /// Whether a socket is open and nothing but the counted bytes came on it.
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
