// A link to the test server that can lose answers and become silent, as networks do.
internal import Glibc
package import Platform
internal import Synchronization

/// A proxy on a Unix socket that parses the frames of PostgreSQL's protocol 3.
package final class DatabaseLink: Sendable {
    /// The fate of a round of a session: the frames up to Query or Sync, and their answer.
    package enum Fate: Sendable {
        /// Request and answer arrive.
        case pass
        /// The server carries the request out; then the connection breaks before the answer.
        case loseAnswer
        /// The connection breaks before the request reaches the server.
        case loseRequest
        /// The request does not reach the server, and from here on the whole link drops all bytes.
        case fallSilent
        /// The server carries the request out, and from its answer on the whole link drops all
        /// bytes.
        case fallSilentBehind
    }

    /// Decides the fate by the text of the round's last statement, or `preparation`.
    package typealias Rule = @Sendable (String) -> Fate

    /// The text for a round that only prepares a statement.
    package static let preparation = "PREPARE"

    struct State {
        var rule: Rule
        var isSilent = false
        var isClosed = false
        var open: Set<Int32> = []
        var lost = 0
    }

    /// The URL of the database behind the link.
    package let url: String

    private let directory: String
    private let server: String
    private let socket: String
    private let listener: Int32
    private let state: Mutex<State>

    /// Opens a link.
    ///
    /// - Parameters:
    ///   - target: a URL of libpq with the parameters `host`, a directory, and `port`.
    ///   - rule: the fate of each round.
    /// - Throws: `Errno` when there is no socket or thread.
    package init(to target: String, rule: @escaping Rule = { _ in .pass }) throws(Errno) {
        let place = DatabaseLink.place(of: target)
        server = "\(place.host)/.s.PGSQL.\(place.port)"
        directory = "/tmp/lull-link-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        url = target.replacing("host=\(place.host)", with: "host=\(directory)")
        state = Mutex(State(rule: rule))
        let path = directory
        socket = "\(directory)/.s.PGSQL.\(place.port)"
        try retryingInterrupts { unsafe mkdir(path, 0o700) }
        listener = unsafe try DatabaseLink.socket(at: socket) {
            let result = unsafe bind($0, $1, $2)
            return result == 0 ? listen($0, 128) : result
        }
        let closure: @Sendable () -> Void = { self.acceptAll() }
        try OriginThread.start(closure)
    }

    /// The number of rounds whose answer was lost.
    package var lost: Int { state.withLock { $0.lost } }

    /// Whether all bytes are dropped.
    package var isSilent: Bool { state.withLock { $0.isSilent } }

    /// Sets another rule.
    package func follow(_ rule: @escaping Rule) { state.withLock { $0.rule = rule } }

    /// Ends the silence; the dropped bytes stay lost, with their connections.
    package func restore() {
        state.withLock { state in
            state.isSilent = false
            state.rule = { _ in .pass }
            for descriptor in state.open { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Ends every connection and stops listening; call it once.
    package func close() {
        state.withLock { state in
            state.isClosed = true
            for descriptor in state.open { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
        _ = shutdown(listener, Int32(SHUT_RDWR))
    }

    private func acceptAll() {
        while true {
            let client = accept(listener, nil, nil)
            if client < 0 {
                if Errno.current == .interrupted { continue }
                break
            }
            let isOpen = state.withLock { state -> Bool in
                if !state.isClosed { state.open.insert(client) }
                return !state.isClosed
            }
            let closure: @Sendable () -> Void = { self.serve(client) }
            do throws(Errno) {
                if isOpen { try OriginThread.start(closure) } else { end(client) }
            } catch { end(client) }
        }
        _ = Glibc.close(listener)
        _ = unsafe unlink(socket)
        _ = unsafe rmdir(directory)
    }

    private func serve(_ client: Int32) {
        defer { end(client) }
        let server: Int32
        do throws(Errno) {
            server = unsafe try DatabaseLink.socket(at: self.server) { unsafe connect($0, $1, $2) }
        } catch { return }
        defer { _ = Glibc.close(server) }
        var session = DatabaseSession()
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var both = [
            pollfd(fd: client, events: Int16(POLLIN), revents: 0),
            pollfd(fd: server, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let count = unsafe poll(&both, 2, -1)
            if count < 0, Errno.current == .interrupted { continue }
            for place in both.indices where both[place].revents != 0 {
                let received = unsafe recv(both[place].fd, &chunk, chunk.count, 0)
                guard received > 0 else { return }
                guard !isSilent else { continue }
                let bytes = chunk[..<received]
                let isOver =
                    place == 0
                    ? session.hear(client: bytes) { decide($0) }
                    : session.hear(server: bytes) { fell($0) }
                // Frames that may pass are sent even if the connection then breaks.
                let outgoing = session.take()
                guard DatabaseLink.send(outgoing.server, to: server),
                    DatabaseLink.send(outgoing.client, to: client), !isOver
                else { return }
            }
        }
    }

    private func decide(_ statement: String) -> Fate {
        // Called without the lock, because a rule may ask how much was lost.
        let rule = state.withLock { $0.rule }
        let fate = rule(statement)
        if case .fallSilent = fate { state.withLock { $0.isSilent = true } }
        return fate
    }

    private func fell(_ fate: Fate) {
        state.withLock { state in
            state.lost += 1
            if case .fallSilentBehind = fate { state.isSilent = true }
        }
    }

    private func end(_ descriptor: Int32) {
        state.withLock { _ = $0.open.remove(descriptor) }
        _ = Glibc.close(descriptor)
    }
}

extension DatabaseLink {
    private static func place(of url: String) -> (host: String, port: String) {
        var found = ["host": "", "port": "5432"]
        let query = url.split(separator: "?", maxSplits: 1).last ?? ""
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2, found[parts[0]] != nil { found[parts[0]] = parts[1] }
        }
        return (found["host"] ?? "", found["port"] ?? "")
    }

    /// Opens a Unix stream socket and applies a call to it with a path.
    private static func socket(
        at path: String,
        _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(Errno) -> Int32 {
        // The numbers of SOCK_STREAM and SOCK_CLOEXEC, which Swift sees or not depending on the
        // order of files.
        let descriptor = try retryingInterrupts { Glibc.socket(AF_UNIX, 1 | 0o2_000_000, 0) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
            unsafe room.copyBytes(from: path.utf8.prefix(room.count - 1))
        }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body(descriptor, $0, length)
            }
        }
        guard result == 0 else {
            let error = Errno.current
            _ = Glibc.close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, Errno.current == .interrupted { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
