// The HTTP client for downloads, webhooks and other replicas.
package import Base
internal import Platform
internal import Synchronization

/// Runs transfers on one thread with one libcurl multi handle.
///
/// Every method of the actor runs on that thread, and so does every callback of libcurl; callbacks
/// for bytes use only their transfer.
package actor TransferEngine {
    /// Settings for the lifetime of an engine.
    package struct Configuration: Sendable {
        /// The destinations of requests.
        package var destinations: Destinations
        /// The `User-Agent`, such as `Lull/1.0`.
        package var userAgent: String
        /// A file of trusted authorities instead of the system's; nil for the system's.
        package var certificateFile: String?
        /// The destinations of proxies; nil for no proxies.
        package var proxyDestinations: Destinations?
        /// The wait for a receiver's consent, after which a body is sent without it, in
        /// milliseconds.
        var consentMilliseconds = TransferLimits.consentMilliseconds
        /// Resolves host names.
        var answer: @Sendable (String) -> LookupAnswer = { Resolver.ask($0) }

        /// A configuration; nothing is read from the environment.
        package init(
            destinations: Destinations, userAgent: String, certificateFile: String? = nil,
            proxyDestinations: Destinations? = nil
        ) {
            self.proxyDestinations = proxyDestinations
            self.destinations = destinations
            self.userAgent = userAgent
            self.certificateFile = certificateFile
        }
    }

    nonisolated let loop: EventLoop
    /// The messages of other threads, handled at the beginning of each turn.
    nonisolated let inbox = Mutex<[EngineMessage]>([])
    /// The array of messages in progress, kept for its memory.
    var messages: [EngineMessage] = []
    /// The descriptor that ends a sleep of the loop.
    let waker: Int32
    /// The multi handle; replaced after an error of the multi interface.
    var multi: MultiHandle
    /// The current numbers of the engine.
    package nonisolated let gauges = TransferGauges()
    var configuration: Configuration
    let resolver: Resolver
    let pacing = Pacing()
    let egress: EgressGuard
    var proxyEgress: EgressGuard?

    /// The runs that have not ended.
    var transfers: [TransferID: Transfer] = [:]
    /// Runs that wait for a handle, the oldest first from ``turnstileStart`` on.
    var turnstile: [Transfer] = []
    var turnstileStart = 0
    /// The number of runs with a handle or waiting for an address.
    var running = 0 { didSet { gauges.setRunning(running) } }
    var lookups = AddressLookups<Transfer>()
    /// The time at which the deadlines are checked next; nanoseconds since boot.
    var nextScan = Int64.max
    /// The number of times that libcurl was called for a socket or its timer.
    var actions = 0
    /// The number of times that a turn with few bytes was followed by a pause.
    var pauses = 0
    /// Closures for the end of the current turn.
    var endOfTurn: [(@Sendable () -> Void, @Sendable () -> Bool)] = []
    var plainHeaders: HeaderList?
    /// The origins that were used lately.
    var retention = ConnectionRetention()
    /// Origins that answered 421: the next request to one gets a connection of its own.
    var misdirected: Set<String> = []
    var isClosed = false
    private var renewals = 0

    /// The engine's thread, for tasks that mostly wait for transfers.
    package nonisolated var executor: any TaskExecutor { loop }

    /// The engine's thread as the executor of this actor.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    private init(
        loop: EventLoop, waker: Int32, multi: consuming MultiHandle, configuration: Configuration
    ) {
        self.loop = loop
        self.waker = waker
        self.multi = multi
        self.configuration = configuration
        resolver = Resolver(answer: configuration.answer)
        egress = EgressGuard(configuration.destinations)
        proxyEgress = configuration.proxyDestinations.map { EgressGuard($0) }
    }

    /// Starts libcurl and the engine's thread; ended by ``close()``.
    ///
    /// - Parameter configuration: what holds for every transfer.
    /// - Returns: a running engine.
    /// - Throws: `TransferError` when libcurl or the thread cannot be started.
    package static func open(
        _ configuration: Configuration
    ) throws(TransferError) -> TransferEngine {
        let loop = EventLoop(label: "transfers")
        let waker: Int32
        do throws(Errno) {
            waker = try loop.makeWaker()
        } catch {
            throw TransferError(description: "eventfd: \(error.description)")
        }
        let engine = TransferEngine(
            loop: loop, waker: waker, multi: try MultiHandle(waker: waker),
            configuration: configuration)
        loop.start(engine) { $0.turn(maySleep: $1) }
        return engine
    }

    /// Performs one request, redirects included.
    ///
    /// - Parameters:
    ///   - request: what to fetch, with its bounds.
    ///   - id: a name that was not used before.
    ///   - destination: where the final answer's body goes.
    /// - Returns: the end, good or bad. Task cancellation counts as ``cancel(_:)``.
    package nonisolated func run(
        _ request: TransferRequest, id: TransferID, into destination: ByteDestination
    ) async -> TransferResult {
        await run(id) { (request, destination) }
    }

    /// Performs one request, redirects included.
    ///
    /// The request is created by a closure at that time, so it is no part of the memory of the task
    /// that waits for its end.
    ///
    /// - Parameters:
    ///   - id: a name that was not used before.
    ///   - make: makes the request and says where the final answer's body goes.
    /// - Returns: as ``run(_:id:into:)``.
    package nonisolated func run(
        _ id: TransferID, _ make: () -> (TransferRequest, ByteDestination)
    ) async -> TransferResult {
        await withTaskCancellationHandler {
            await withCheckedContinuation { start(id, $0, make) }
        } onCancel: {
            cancel(id)
        }
    }

    /// Not inlined, so that its values are on the stack.
    @inline(never)
    private nonisolated func start(
        _ id: TransferID, _ continuation: CheckedContinuation<TransferResult, Never>,
        _ make: () -> (TransferRequest, ByteDestination)
    ) {
        let (request, destination) = make()
        post(
            .start(
                Transfer(
                    id: id, request: request, destination: destination,
                    continuation: continuation, gauges: gauges,
                    now: SystemClock.bootNanoseconds())))
    }

    /// Ends a transfer soon with `cancelled`; may be called from any thread, also after the
    /// transfer.
    package nonisolated func cancel(_ id: TransferID) {
        id.cancel()
        post(.cancel(id))
    }

    /// Unpauses a transfer; may be called from any thread, also if it is not paused.
    package nonisolated func resume(_ id: TransferID) {
        post(.resume(id))
    }

    /// Cancels everything, closes every connection and joins the thread; call it once.
    package nonisolated func close() async {
        await cancelAll()
        await loop.stopped()
    }

    /// Uses other lists of destinations and authorities from now on; open connections are judged at
    /// their next use.
    ///
    /// - Parameters:
    ///   - destinations: where requests may go.
    ///   - proxies: where proxies may be; nil for no proxies.
    ///   - certificateFile: read again, also where it has the same name; nil for the system's.
    package func renew(
        _ destinations: Destinations, proxies: Destinations?, certificateFile: String?
    ) {
        configuration.destinations = destinations
        configuration.proxyDestinations = proxies
        egress.follow(destinations)
        if let proxies, let proxyEgress {
            proxyEgress.follow(proxies)
        } else {
            proxyEgress = proxies.map { EgressGuard($0) }
        }
        renewals += 1
        configuration.certificateFile = certificateFile.map { file in
            renewals.isMultiple(of: 2) ? file : TransferEngine.respelled(file)
        }
    }

    /// Another path of an unchanged file: libcurl caches authorities for a day, by the path.
    static func respelled(_ file: String) -> String {
        guard let slash = file.lastIndex(of: "/") else { return "./" + file }
        return file[...slash] + "./" + file[file.index(after: slash)...]
    }

    private func cancelAll() {
        isClosed = true
        for transfer in transfers.values {
            transfer.cancel()
            end(transfer)
        }
    }

    func cancelNow(_ id: TransferID) {
        guard let transfer = transfers[id] else { return }
        transfer.cancel()
        end(transfer)
    }

    func resumeNow(_ id: TransferID) {
        guard let transfer = transfers[id] else { return }
        transfer.holdsBody = false
        guard transfer.isPaused, let easy = transfer.easy else { return }
        transfer.isPaused = false
        // A transfer that waits for its turn is unpaused with that.
        guard !transfer.isHeld else { return }
        transfer.lastByteAt = SystemClock.bootNanoseconds()
        watch(transfer)
        // A refusal by the callbacks is reported in the next turn.
        _ = easy.unpause()
    }
}
