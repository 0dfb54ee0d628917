// A scripted origin for tests: raw sockets on loopback that misbehave as a script says.
internal import Glibc
package import Platform
internal import Synchronization

/// A scripted HTTP/1.1 origin on 127.0.0.1; each connection has a thread.
package final class OriginServer: Sendable {
    /// Decides the answer to a request; runs on the connection's thread.
    package typealias Script = @Sendable (OriginRequest) -> [OriginStep]

    /// The most connections at a time; more are closed at once.
    package static let connectionsMax = 2048
    /// The most requests that are recorded.
    package static let requestsMax = 100_000

    /// The port that the kernel chose.
    package let port: Int

    private let listener: Int32
    private let script: Script
    private let relay: OriginTunnel?
    private let peer: (@Sendable (OriginPeer) -> Void)?
    private let state = Mutex(State())

    private struct State {
        var requests: [OriginRequest] = []
        var open: Set<Int32> = []
        var accepted = 0
        var isClosed = false
        /// Connections that fill the listen queue of an origin that accepts none.
        var fillers: [Int32] = []
    }

    /// Creates an origin that listens.
    ///
    /// - Parameters:
    ///   - relay: carries each connection from its first byte on; then nothing is read here.
    ///   - script: the answers.
    /// - Throws: `Errno` when there is no socket or thread.
    package init(
        relay: OriginTunnel? = nil, _ script: @escaping Script = { _ in [] }
    ) throws(Errno) {
        self.script = script
        self.relay = relay
        peer = nil
        listener = try retryingInterrupts {
            socket(AF_INET, Self.streamSocket | Self.closeOnExec, 0)
        }
        port = try Self.listen(on: listener)
        let closure: @Sendable () -> Void = { self.acceptAll() }
        try OriginThread.start(closure)
    }

    /// Creates an origin whose connections are served by a closure, and end with it.
    ///
    /// Its kernel keeps few bytes that it has not read, so that a body of some MiB waits for it.
    ///
    /// - Parameter peer: reads and writes; runs on the connection's thread.
    /// - Throws: `Errno` when there is no socket or thread.
    package init(peer: @escaping @Sendable (OriginPeer) -> Void) throws(Errno) {
        script = { _ in [] }
        relay = nil
        self.peer = peer
        listener = try retryingInterrupts {
            socket(AF_INET, Self.streamSocket | Self.closeOnExec, 0)
        }
        var bytes: Int32 = 65_536
        let size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &bytes, size) == 0 else {
            throw Errno.current
        }
        port = try Self.listen(on: listener)
        let closure: @Sendable () -> Void = { self.acceptAll() }
        try OriginThread.start(closure)
    }

    /// Creates an origin that accepts no connection before `accept()`: its listen queue is full, so
    /// that clients get no answer.
    ///
    /// - Parameters:
    ///   - queue: how many may wait for it, which are taken at once.
    ///   - script: the answers.
    /// - Throws: `Errno` when there is no socket.
    package init(unreachableBehind queue: Int32, _ script: @escaping Script) throws(Errno) {
        self.script = script
        relay = nil
        peer = nil
        listener = try retryingInterrupts {
            socket(AF_INET, Self.streamSocket | Self.closeOnExec, 0)
        }
        port = try Self.listen(on: listener, backlog: queue)
        for _ in 0..<queue + 3 {
            let filler = try retryingInterrupts {
                socket(AF_INET, Self.streamSocket | Self.closeOnExec | Self.nonBlocking, 0)
            }
            state.withLock { $0.fillers.append(filler) }
            var address = Self.loopback(port)
            _ = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe connect(filler, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }

    /// Begins to accept connections.
    ///
    /// - Throws: `Errno` when there is no thread.
    package func accept() throws(Errno) {
        state.withLock { state in
            for filler in state.fillers { _ = Glibc.close(filler) }
            state.fillers = []
        }
        guard Glibc.listen(listener, 1024) == 0 else { throw Errno.current }
        let closure: @Sendable () -> Void = { self.acceptAll() }
        try OriginThread.start(closure)
    }

    /// `http://127.0.0.1:port` and a path.
    package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The requests so far, in the order in which their heads were complete.
    package var requests: [OriginRequest] { state.withLock { $0.requests } }

    /// The number of connections that were accepted.
    package var connectionCount: Int { state.withLock { $0.accepted } }

    /// The number of open connections.
    package var openConnectionCount: Int { state.withLock { $0.open.count } }

    /// Ends every connection and stops listening; call it once.
    package func close() {
        state.withLock { state in
            state.isClosed = true
            // The threads notice the end of their stream and close the descriptors themselves.
            for connection in state.open { _ = shutdown(connection, Int32(SHUT_RDWR)) }
        }
        _ = shutdown(listener, Int32(SHUT_RDWR))
    }

    // The numbers of SOCK_STREAM and SOCK_CLOEXEC, enumerators that Swift sees or not depending on
    // the order of files.
    private static let streamSocket: Int32 = 1
    private static let closeOnExec: Int32 = 0o2_000_000

    private static let nonBlocking: Int32 = 0o4000

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private static func listen(on listener: Int32, backlog: Int32 = 1024) throws(Errno) -> Int {
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> Int32 in
                guard unsafe bind(listener, pointer, length) == 0,
                    Glibc.listen(listener, backlog) == 0
                else { return -1 }
                return unsafe getsockname(listener, pointer, &length)
            }
        }
        guard result == 0 else { throw Errno.current }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private func acceptAll() {
        while true {
            let connection = Glibc.accept(listener, nil, nil)
            if connection < 0 {
                if Errno.current == .interrupted { continue }
                break
            }
            let number: Int? = state.withLock { state in
                guard !state.isClosed, state.open.count < Self.connectionsMax else { return nil }
                state.open.insert(connection)
                state.accepted += 1
                return state.accepted
            }
            guard let number else {
                _ = Glibc.close(connection)
                continue
            }
            let closure: @Sendable () -> Void = { self.serve(connection, number: number) }
            do throws(Errno) { try OriginThread.start(closure) } catch { end(connection) }
        }
        _ = Glibc.close(listener)
    }

    private func serve(_ descriptor: Int32, number: Int) {
        if let relay {
            _ = relay.carry(descriptor)
            return end(descriptor)
        }
        if let peer {
            peer(OriginPeer(descriptor: descriptor, number: number))
            return end(descriptor)
        }
        var connection = OriginConnection(descriptor: descriptor, number: number)
        while let request = connection.nextRequest() {
            state.withLock { state in
                if state.requests.count < Self.requestsMax { state.requests.append(request) }
            }
            guard connection.play(script(request)) else { break }
        }
        end(descriptor)
    }

    private func end(_ descriptor: Int32) {
        state.withLock { _ = $0.open.remove(descriptor) }
        _ = Glibc.close(descriptor)
    }
}
