// The server: one event loop or several, each with many connections.
internal import Base
package import HTTPWire
package import Platform

/// Serves HTTP/1.1 on several addresses.
///
/// A lane is a loop that sleeps in the epoll set of its sockets. The first lane accepts, and deals
/// the clients to all lanes in turn; a client stays with its lane. Open it once, drain it once.
package actor Server {
    /// Called after each answer, refusals included, on the loop of its lane.
    package typealias Observer = @Sendable (AnsweredRequest) -> Void
    /// Makes the answer to bytes that are no request, from the part of one that could be read.
    ///
    /// It ends the connection. Called on the loop of its lane.
    package typealias Refusal = @Sendable (Rejection, RequestOutline) -> Response
    /// Decides about a request with `Expect: 100-continue`.
    ///
    /// Nil lets the client send the content, an answer ends the connection. Called on the loop of
    /// its lane.
    package typealias Admission = @Sendable (Request) -> Response?

    /// Decides whether the handler reads the content of a request while it arrives.
    ///
    /// Asked once the head is read, for each request with content, on the loop of its lane.
    package typealias Streaming = @Sendable (Request) -> Bool

    let loop: EventLoop
    /// The number of lanes.
    let laneCount: Int
    private let laneNumber: Int
    /// The other lanes; empty on all but the first.
    var lanes: [Server] = []
    /// The index of the lane that got the last client; 0 for the first.
    var turnOfLane = 0
    /// The clients of all lanes.
    nonisolated let clients: ClientCounter
    /// The clients that the first lane has passed to this one.
    nonisolated let arrivals = Arrivals()
    /// Called when a client of this lane leaves for which the first lane waits.
    var onRoom: (@Sendable () -> Void)?
    let addresses: [ListenAddress]
    let limits: ServerLimits
    let timeouts: ServerTimeouts
    let handler: Handler
    let streams: Streaming
    let admission: Admission?
    let refusal: Refusal?
    let gauges: ServerGauges
    let onRequest: Observer?
    /// The lowest status for which the observer is called at first.
    let startsObservingFrom: Int
    var observedFrom: Int
    let log: Log

    var epoll: EpollSet?
    /// The time of the next check of the deadlines, in nanoseconds on the boot clock; `.max` for
    /// none.
    var ticksAt = Int64.max
    var listeners: [Listener] = []
    var connections: [Connection?] = []
    var generations: [UInt32] = []
    var freeSlots: [Int] = []
    var openConnections = 0
    var openStreams = 0 { didSet { gauges.addStreams(openStreams - oldValue) } }
    var openBodies = 0 { didSet { gauges.addBodies(openBodies - oldValue) } }
    /// The idle tasks for answers.
    var idleTasks: [AnswerTask] = []
    /// The tasks for answers that were created and have not begun.
    var startingTasks: [AnswerTask] = []
    /// The connections whose answers are sent at the end of this turn.
    var unsent: [ConnectionToken] = []
    /// The time at which the first of them was made, in nanoseconds on the boot clock.
    var unsentSince: Int64 = 0
    var runningTasks = 0 { didSet { gauges.addRequests(runningTasks - oldValue) } }
    /// A reserve descriptor, closed for a moment when descriptors run out.
    var reserve: FileDescriptor?
    var isAccepting = true
    var acceptsAgainAt = Int64.max
    var lastShortageLog = Int64.min
    var input = [UInt8](repeating: 0, count: 1 << 16)
    /// The boot clock in nanoseconds, read once a turn.
    var now: Int64 = 0
    var date: [UInt8] = []
    var dateSecond = Int64.min
    var isDraining = false
    var drainDeadline = Int64.max
    var drained: CheckedContinuation<Void, Never>?

    /// Creates a server that listens only after `open()`.
    ///
    /// - Parameters:
    ///   - addresses: where to listen.
    ///   - limits: the bounds for clients.
    ///   - log: the log of the program.
    ///   - streams: which requests have `Request.incoming` in place of `body`; their content has
    ///     no bound but that of its reader.
    ///   - admission: judges requests with `Expect: 100-continue`.
    ///   - refusal: answers what is not a request; a plain problem document if there is none.
    ///   - gauges: kept up to date.
    ///   - onRequest: called after each answer.
    ///   - observedFrom: the lowest status for which it is called.
    ///   - lanes: how many loops serve, 1 to `lanesAtMost`.
    ///   - handler: answers requests, on the loop of the client's lane.
    package init(
        addresses: [ListenAddress], limits: ServerLimits = ServerLimits(),
        log: Log = .silent, streams: @escaping Streaming = { _ in false },
        admission: Admission? = nil, refusal: Refusal? = nil,
        gauges: ServerGauges = ServerGauges(), onRequest: Observer? = nil,
        observedFrom: Int = 200, lanes: Int = 1, handler: @escaping Handler
    ) {
        precondition((1...Server.lanesAtMost).contains(lanes), "a server has a lane")
        self.init(
            addresses: addresses, limits: limits, log: log, streams: streams,
            admission: admission, refusal: refusal, gauges: gauges, onRequest: onRequest,
            observedFrom: observedFrom,
            laneCount: lanes, laneNumber: 0, clients: ClientCounter(gauges), handler: handler)
    }

    /// Creates one lane.
    init(
        addresses: [ListenAddress], limits: ServerLimits, log: Log,
        streams: @escaping Streaming, admission: Admission?, refusal: Refusal?,
        gauges: ServerGauges, onRequest: Observer?, observedFrom: Int,
        laneCount: Int = 1, laneNumber: Int, clients: ClientCounter, handler: @escaping Handler
    ) {
        loop = EventLoop(label: laneNumber == 0 ? "http" : "http.\(laneNumber)")
        self.laneCount = laneCount
        self.laneNumber = laneNumber
        self.clients = clients
        self.addresses = addresses
        self.limits = limits
        timeouts = ServerTimeouts(limits)
        self.log = log
        self.streams = streams
        self.admission = admission
        self.refusal = refusal
        self.gauges = gauges
        self.onRequest = onRequest
        startsObservingFrom = observedFrom
        self.observedFrom = observedFrom
        self.handler = handler
    }

    /// Calls the observer for answers with this status or a higher one.
    package func observe(from status: Int) async {
        observedFrom = status
        for lane in lanes { await lane.observe(from: status) }
    }

    /// The loop's executor.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    /// Binds every address and starts to serve.
    ///
    /// - Returns: the addresses as bound, in the order given, with the ports the system chose.
    /// - Throws: `address-invalid`, `address-in-use`, `listen-failed` or `out-of-resources`; then
    ///   nothing is left open.
    package func open() async throws(ServerError) -> [ListenAddress] {
        precondition(epoll == nil && !isDraining, "a server is opened once")
        var bound: [Listener] = []
        do throws(ServerError) {
            for address in addresses {
                bound.append(try Listener(address, writeStall: timeouts.writeStall))
            }
            try await openLanes()
            try start(bound)
        } catch {
            for listener in bound { listener.removeFile() }
            await closeLanes(grace: .zero)
            throw error
        }
        return bound.map(\.address)
    }

    func start(_ bound: [Listener]) throws(ServerError) {
        do throws(Errno) {
            let epoll = try EpollSet(capacity: Self.eventsAtOnce)
            for (slot, listener) in bound.enumerated() {
                try epoll.add(
                    listener.descriptor, events: EpollSet.readable,
                    token: Self.listenerToken(slot))
            }
            try epoll.add(
                try loop.makeWaker(), events: EpollSet.signal, token: Self.wakerToken)
            reserve = try Self.spareDescriptor()
            self.epoll = epoll
        } catch {
            throw ServerError(
                code: "out-of-resources", address: addresses.description, errno: error)
        }
        listeners = bound
        loop.start(self) { $0.turn(maySleep: $1) }
    }

    /// The least time between two checks of the deadlines: half a second, less if a limit asks
    /// for finer steps.
    var tickNanoseconds: Int64 {
        let shortest = min(
            timeouts.header, timeouts.body, timeouts.writeStall, timeouts.keepAlive,
            timeouts.linger)
        return min(500_000_000, max(5_000_000, shortest / 4))
    }

    /// Serves ready sockets, after waiting for some if there is nothing else to do.
    private func turn(maySleep: Bool) {
        guard let epoll else { return }
        sendAnswers()
        let count: Int
        do throws(Errno) {
            count = try epoll.wait(milliseconds: maySleep ? millisecondsToTick : 0)
        } catch {
            preconditionFailure("the set of sockets is sound: \(error)")
        }
        if maySleep { loop.hasWoken() }
        readClocks()
        if laneNumber > 0 { takeArrivals() }
        for place in 0..<count {
            let (events, token) = epoll.event(at: place)
            if let slot = Self.listenerSlot(token) {
                accept(slot)
            } else {
                serve(ConnectionToken(rawValue: token), events: events)
            }
        }
        if now >= ticksAt { tick() }
        acceptIfRoom()
    }

    /// The most sockets that are served before jobs get their turn.
    private static let eventsAtOnce = 256

    /// The time that the loop may sleep, in milliseconds; an hour at most.
    private var millisecondsToTick: Int32 {
        guard ticksAt < .max else { return 3_600_000 }
        // Rounded up: waking before the moment would spin until it.
        let left = max(0, ticksAt - SystemClock.bootNanoseconds()) / 1_000_000 + 1
        return Int32(clamping: min(left, 3_600_000))
    }

    private func serve(_ token: ConnectionToken, events: UInt32) {
        // Stale events of this batch name a generation that no longer exists.
        guard let connection = connection(token) else { return }
        let isBroken = events & (EpollSet.failed | EpollSet.hungUp) != 0
        if isBroken, connection.watched & EpollSet.readable == 0 {
            drop(connection)
            return
        }
        if isBroken || events & EpollSet.readable != 0,
            connection.watched & EpollSet.readable != 0
        {
            guard receive(connection) else { return }
        }
        advance(connection)
    }

    /// Changes the events for which a descriptor in the set is watched.
    func watch(_ descriptor: Int32, for events: UInt32, token: UInt64) {
        do throws(Errno) {
            try epoll?.change(descriptor, events: events, token: token)
        } catch {
            preconditionFailure("a watched descriptor can be changed: \(error)")
        }
    }

    func connection(_ token: ConnectionToken) -> Connection? {
        guard token.slot < connections.count, generations[token.slot] == token.generation else {
            return nil
        }
        return connections[token.slot]
    }

    func readClocks() {
        now = SystemClock.bootNanoseconds()
        let second = SystemClock.wallMicroseconds() / 1_000_000
        guard second != dateSecond else { return }
        dateSecond = second
        date = Array(Timestamp(seconds: second).httpDate.utf8)
    }
}
