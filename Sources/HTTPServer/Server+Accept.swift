// Accepting and closing connections.
internal import CPlatform
internal import Glibc
internal import HTTPWire
internal import Platform

extension Server {
    private static let listenerMark: UInt64 = 0xffff_ffff_0000_0000

    /// The registration of the descriptor that wakes the loop.
    static let wakerToken = UInt64.max

    static func listenerToken(_ slot: Int) -> UInt64 { listenerMark | UInt64(slot) }

    static func listenerSlot(_ token: UInt64) -> Int? {
        token >= listenerMark && token != wakerToken ? Int(token & 0xffff_ffff) : nil
    }

    static func spareDescriptor() throws(Errno) -> FileDescriptor {
        FileDescriptor(
            owning: try retryingInterrupts { unsafe Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) })
    }

    /// Takes waiting connections, a bounded number a turn.
    func accept(_ slot: Int) {
        guard slot < listeners.count else { return }
        let listener = listeners[slot]
        for _ in 0..<64 where isAccepting {
            guard openConnections < limits.connections else {
                setAccepting(false)
                return
            }
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let countsLoopback = limits.countsLoopback
            let (descriptor, peer, client) = unsafe withUnsafeMutablePointer(to: &storage) {
                pointer -> (Int32, String, ClientAddress?) in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    address -> (Int32, String, ClientAddress?) in
                    let descriptor = unsafe lull_accept4(listener.descriptor, address, &length)
                    guard descriptor >= 0 else { return (descriptor, "", nil) }
                    let peer = unsafe Self.peer(of: address, length: length)
                    let client = unsafe ClientAddress(address, countsLoopback: countsLoopback)
                    return (descriptor, peer, client)
                }
            }
            if descriptor >= 0 {
                add(FileDescriptor(owning: descriptor), peer: peer, client: client)
            } else if !acceptsOn(after: .current, listener) {
                return
            }
        }
    }

    private static func peer(of address: UnsafePointer<sockaddr>, length: socklen_t) -> String {
        guard unsafe address.pointee.sa_family != sa_family_t(AF_UNIX),
            let (host, port) = unsafe NumericAddress.text(of: address, length: length)
        else { return "unix" }
        return ListenAddress.internet(host: host, port: port).description
    }

    private func add(
        _ socket: consuming FileDescriptor, peer: String, client: ClientAddress?
    ) {
        // An address at its limit is disconnected, so that it does not delay others.
        if let client, connectionsOf[client] ?? 0 >= limits.connectionsPerAddress { return }
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
        } else {
            slot = connections.count
            connections.append(nil)
            generations.append(0)
        }
        let connection = Connection(
            token: Token(slot: slot, generation: generations[slot]), socket: socket,
            client: client, parser: RequestParser(limits: limits.wire, peer: peer), now: now)
        do throws(Errno) {
            try epoll?.add(
                connection.descriptor, events: EpollSet.readable,
                token: connection.token.rawValue)
        } catch {
            freeSlots.append(slot)  // Out of kernel memory: the client is disconnected.
            return
        }
        connections[slot] = connection
        openConnections += 1
        if let client { connectionsOf[client, default: 0] += 1 }
        settle(connection)
    }

    /// Removes a connection; its socket is closed with the last reference.
    func drop(_ connection: Connection) {
        let slot = connection.token.slot
        guard connections[slot] === connection else { return }
        connection.task?.cancel()
        connection.task = nil
        connection.stream?.producer?.resume(returning: false)
        connection.stream = nil
        connections[slot] = nil
        // The mark of listeners is never a generation.
        generations[slot] = (generations[slot] + 1) & 0x7fff_ffff
        freeSlots.append(slot)
        openConnections -= 1
        if let client = connection.client {
            let left = (connectionsOf[client] ?? 1) - 1
            connectionsOf[client] = left > 0 ? left : nil
        }
        if !isAccepting, acceptsAgainAt == .max, !isDraining { setAccepting(true) }
        finishDrainIfDone()
    }

    /// Stops or resumes watching the listening sockets.
    func setAccepting(_ accepting: Bool) {
        guard accepting != isAccepting else { return }
        isAccepting = accepting
        for (slot, listener) in listeners.enumerated() {
            watch(
                listener.descriptor, for: accepting ? EpollSet.readable : 0,
                token: Self.listenerToken(slot))
        }
    }

    /// Handles a failed accept(2).
    ///
    /// - Returns: true to try the next connection at once.
    private func acceptsOn(after failure: Errno, _ listener: Listener) -> Bool {
        switch failure.rawValue {
        case EAGAIN: return false
        case EMFILE, ENFILE:
            refuseOne(listener)
            fallthrough
        case ENOBUFS, ENOMEM:
            acceptsAgainAt = now + 100_000_000
            watch(acceptsAgainAt)
            setAccepting(false)
            if now - 60_000_000_000 >= lastShortageLog {
                lastShortageLog = now
                log.warn("no more connections can be accepted", [("reason", "\(failure)")])
            }
            return false
        default: return true  // The client was gone before it was accepted; see accept(2).
        }
    }

    /// Closes the reserve descriptor to accept one client and close it, rather than leave it in the
    /// queue; see libev's manual, "The special problem of accept()ing when you can't".
    private func refuseOne(_ listener: Listener) {
        reserve = nil
        let descriptor = lull_accept4(listener.descriptor, nil, nil)
        if descriptor >= 0 { _ = FileDescriptor(owning: descriptor) }
        do throws(Errno) { reserve = try Self.spareDescriptor() } catch { reserve = nil }
    }
}
