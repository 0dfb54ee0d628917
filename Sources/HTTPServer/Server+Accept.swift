// Accepting and closing connections, and dealing them to lanes.
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

    /// Accepts waiting connections, a bounded number a turn.
    func accept(_ slot: Int) {
        guard slot < listeners.count else { return }
        let listener = listeners[slot]
        for _ in 0..<64 where isAccepting {
            guard clients.hasRoom(below: limits.connections) else {
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
            if descriptor >= limits.descriptors {
                _ = FileDescriptor(owning: descriptor)
                _ = acceptsOn(after: .tooManyFiles, listener)
                return
            } else if descriptor >= 0 {
                deal(FileDescriptor(owning: descriptor), peer: peer, client: client)
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

    /// Gives a client to a lane.
    private func deal(
        _ socket: consuming FileDescriptor, peer: String, client: ClientAddress?
    ) {
        // A client whose address is at its limit is disconnected, so that it does not delay others.
        guard clients.enter(client, atMost: limits.connectionsPerAddress) else { return }
        guard let lane = nextLane() else {
            return add(socket, peer: peer, client: client)
        }
        lane.pass(Arrival(descriptor: socket.release(), peer: peer, client: client))
    }

    /// Serves a client that is counted already.
    func add(
        _ socket: consuming FileDescriptor, peer: String, client: ClientAddress?
    ) {
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
        } else {
            slot = connections.count
            connections.append(nil)
            generations.append(0)
        }
        let connection = Connection(
            token: ConnectionToken(slot: slot, generation: generations[slot]), socket: socket,
            client: client,
            parser: RequestParser(limits: limits.wire, peer: peer, streams: streams), now: now)
        do throws(Errno) {
            try epoll?.add(
                connection.descriptor, events: EpollSet.readable,
                token: connection.token.rawValue)
        } catch {
            freeSlots.append(slot)  // Out of kernel memory: the client is disconnected.
            return countOut(client)
        }
        connections[slot] = connection
        openConnections += 1
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
        endIntake(connection)
        connections[slot] = nil
        // The listeners' tokens carry a generation that no connection ever has.
        generations[slot] = (generations[slot] + 1) & 0x7fff_ffff
        freeSlots.append(slot)
        openConnections -= 1
        countOut(connection.client)
        finishDrainIfDone()
    }

    /// Counts a client out, and lets the first lane accept another.
    private func countOut(_ client: ClientAddress?) {
        guard clients.leave(client) else { return }
        onRoom?()
        acceptIfRoom()
    }

    /// Resumes accepting if the limit of clients was the only obstacle.
    func acceptIfRoom() {
        guard !isAccepting, acceptsAgainAt == .max, !isDraining,
            clients.hasRoom(below: limits.connections)
        else { return }
        setAccepting(true)
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

// Further lanes: servers without addresses, to which the first one passes all clients but its own.
extension Server {
    /// The most lanes of a server; each has a thread.
    package static let lanesAtMost = 16

    /// The number of lanes for a machine: half of its processors, at least one, because the engine,
    /// the database and the kernel's network stack need the others.
    package static func lanes(processors: Int) -> Int {
        min(max(1, processors / 2), 8)
    }

    /// Creates a lane beside the first.
    private init(beside first: Server, number: Int) {
        self.init(
            addresses: [], limits: first.limits, log: first.log, streams: first.streams,
            admission: first.admission, refusal: first.refusal, gauges: first.gauges,
            onRequest: first.onRequest,
            observedFrom: first.startsObservingFrom, laneNumber: number, clients: first.clients,
            handler: first.handler)
    }

    /// Starts the further lanes.
    ///
    /// - Throws: `out-of-resources`; those that were started are in `lanes`.
    func openLanes() async throws(ServerError) {
        guard laneCount > 1 else { return }
        for number in 1..<laneCount {
            let lane = Server(beside: self, number: number)
            try await lane.openLane { [loop] in loop.ring(orLater: {}) }
            lanes.append(lane)
        }
    }

    /// Drains the further lanes, all at once.
    ///
    /// - Returns: whether all was answered within the grace.
    @discardableResult
    func closeLanes(grace: Duration) async -> Bool {
        let lanes = lanes
        return await withTaskGroup(of: Bool.self) { group in
            for lane in lanes { group.addTask { await lane.drain(grace: grace) } }
            return await group.reduce(true) { $0 && $1 }
        }
    }

    private func openLane(onRoom: @escaping @Sendable () -> Void) throws(ServerError) {
        self.onRoom = onRoom
        try start([])
    }

    /// The lane for the next client, in turn; nil for this one.
    func nextLane() -> Server? {
        guard !lanes.isEmpty else { return nil }
        turnOfLane = (turnOfLane + 1) % (lanes.count + 1)
        return turnOfLane == 0 ? nil : lanes[turnOfLane - 1]
    }

    /// Hands a client, which is counted already, to this lane.
    nonisolated func pass(_ arrival: Arrival) {
        arrivals.add(arrival)
        // After the loop has ended the list closes the sockets left in it.
        loop.ring(orLater: {})
    }

    /// Takes the clients that the first lane has passed on.
    func takeArrivals() {
        for arrival in arrivals.take() {
            add(
                FileDescriptor(owning: arrival.descriptor), peer: arrival.peer,
                client: arrival.client)
        }
    }
}
