// A private PostgreSQL server for installations that name none: created once, then started, adopted
// and stopped.
internal import Glibc
package import Platform
internal import Synchronization

/// A PostgreSQL cluster in a directory of this program, reached by a Unix socket only.
///
/// The server survives a killed process, and the next process adopts it. The first process that
/// uses a directory owns it, and stops the server in the end; others on the same directory are
/// guests.
package actor EmbeddedServer {
    /// The time limits and settings of the server.
    package struct Options: Sendable {
        /// Settings that override all others, as `name` and `value`; see chapter 20 of the manual.
        package var settings: [(String, String)] = []
        /// Whether a new cluster is synced to disk before it is used.
        package var syncsNewCluster = true
        /// The name of the database that is created in a new cluster.
        package var database = "lull"
        /// The longest time of a start, crash recovery included, in seconds.
        package var startSecondsMax: Int64 = 300
        /// The longest time of a stop before it is forced, in seconds.
        package var stopSecondsMax: Int64 = 30

        /// Creates the defaults: durable and small.
        package init() {}
    }

    /// The relation of this process to the server.
    package enum Role: String, Sendable {
        /// This process started it and stops it.
        case starter
        /// The server ran already; this process stops it.
        case adopter
        /// Another process owns the server, and stops it.
        case guest
    }

    /// The lane that is blocked by file calls and by waiting for programs.
    nonisolated private let lane = QueueExecutor(label: "postgres.server")
    let path: String
    let options: Options
    let log: Log
    nonisolated let restartCount = Atomic(0)
    var lock: FileDescriptor?
    var running: Running?

    /// A server that has answered.
    struct Running {
        let role: Role
        let processID: pid_t
        let socketDirectory: String
        let port: Int
        let data: String
    }

    /// Creates a stopped server; `start()` starts it.
    ///
    /// - Parameters:
    ///   - directory: the directory of the cluster, its log and its socket; made if absent.
    ///   - options: times and settings.
    ///   - log: the log for starts and stops.
    package init(directory: String, options: Options = Options(), log: Log = .silent) {
        path = directory
        self.options = options
        self.log = log
    }

    /// The lane as the executor of this actor.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe lane.asUnownedSerialExecutor()
    }

    /// The number of times that the server was lost and started again.
    package nonisolated var restarts: Int { restartCount.load(ordering: .relaxed) }

    /// The relation of this process to the server; nil if it does not run.
    package var role: Role? { running?.role }

    /// The postmaster's process number; nil when it does not run.
    package var processID: Int32? { running?.processID }

    /// The URL of a database of the running server; nil when it does not run.
    package func url(database: String) -> String? {
        running.map {
            ServerLayout.url(
                socketDirectory: $0.socketDirectory, port: $0.port, database: database)
        }
    }

    /// Makes the server run; may be called again after it was lost.
    ///
    /// - Returns: the URL of the database.
    /// - Throws: `serverMissing`, `serverAccount`, `serverDirectory`, `serverFailed`.
    package func start() async throws(PostgresError) -> String {
        let layout = try ServerLayout.make(path)
        try takeLock(layout)
        let deadline = SystemClock.bootNanoseconds() + options.startSecondsMax * 1_000_000_000
        while SystemClock.bootNanoseconds() < deadline {
            if let postmaster = livingPostmaster(layout) {
                let role = running?.role ?? (lock == nil ? .guest : .adopter)
                if try await settle(layout, postmaster, role: role, until: deadline) {
                    return try await readyURL()
                }
                continue
            }
            running = nil
            guard lock != nil else {
                // Another process is about to start the server, or has just stopped it.
                try await pause()
                try takeLock(layout)
                continue
            }
            try await clearWay(layout)
            let pid = try launch(layout)
            if try await settleOwn(layout, pid, until: deadline) { return try await readyURL() }
        }
        throw PostgresError(
            .serverFailed, "the database server does not answer", detail: layout.log)
    }

    /// Stops the server, unless another process looks after it.
    ///
    /// - Throws: `serverFailed` when it does not end even by force.
    package func stop() async throws(PostgresError) {
        defer { lock = nil }
        guard let server = running else { return }
        running = nil
        guard server.role != .guest else { return }
        for (signal, seconds) in [(SIGINT, options.stopSecondsMax), (SIGQUIT, 10)] {
            guard isAlive(server.processID, data: server.data) else { break }
            guard kill(server.processID, signal) == 0 else { break }
            let deadline = SystemClock.bootNanoseconds() + seconds * 1_000_000_000
            while isAlive(server.processID, data: server.data) {
                let left = deadline - SystemClock.bootNanoseconds()
                guard left > 0 else { break }
                await ProcessEnd.wait(for: server.processID, upTo: .nanoseconds(left))
            }
        }
        guard !isAlive(server.processID, data: server.data) else {
            throw PostgresError(.serverFailed, "the database server does not stop")
        }
        if !server.socketDirectory.hasPrefix(server.data.dropLast("/data".count)) {
            // A directory under /tmp is created again at the next start; one with files is left.
            _ = unsafe rmdir(server.socketDirectory)
        }
        log.info("private PostgreSQL stopped")
    }

    /// Releases the server without stopping it, as the death of this process would.
    package func abandon() {
        running = nil
        lock = nil
    }

    func pause() async throws(PostgresError) {
        do { try await Task.sleep(for: .milliseconds(20)) } catch {
            throw PostgresError(.serverFailed, "the start of the database server was canceled")
        }
    }
}
