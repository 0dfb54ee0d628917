// A bounded number of connections that any number of tasks share.
package import Platform

/// Opens connections when they are needed, lends them to tasks, and replaces broken ones.
package actor ConnectionPool {
    let url: String
    let options: ConnectionOptions
    let limits: PoolLimits
    let size: Int
    let log: Log
    /// The pool's counts, readable from any thread.
    package nonisolated let gauge: PoolGauge
    nonisolated let idle: IdleConnections
    /// The number of connections that are open or being opened.
    var count = 0 { didSet { gauge.setOpen(count) } }
    var waiters: [Waiter] = [] {
        didSet {
            gauge.setWaiting(waiters.count)
            idle.bypass(isClosed || !waiters.isEmpty)
        }
    }
    var nextWaiter: UInt64 = 0
    /// The number of tasks that wait for a moment to connect again.
    var pausing = 0
    var failures = 0
    var lastError: PostgresError?
    /// The earliest time of the next attempt to connect, by the boot clock in nanoseconds.
    var retryAt: Int64 = 0
    var isClosed = false
    /// The tasks that open connections; `close()` waits for them.
    let opening = TaskOwner()
    /// Ends waits at their deadline; runs only while a task waits.
    var expiry: Task<Void, Never>?

    /// Creates a pool without connections; they are opened when they are needed.
    ///
    /// - Parameters:
    ///   - url: a URL or a keyword/value string of libpq.
    ///   - size: how many connections at most, 1 to 64: each one takes a thread while it waits.
    ///   - options: how each session behaves.
    ///   - limits: how tasks wait.
    ///   - log: the log for lost and refused connections.
    package init(
        url: String, size: Int, options: ConnectionOptions = ConnectionOptions(),
        limits: PoolLimits = PoolLimits(), log: Log = .silent
    ) {
        precondition((1...64).contains(size), "a pool has 1 to 64 connections")
        self.url = url
        self.size = size
        self.options = options
        self.limits = limits
        self.log = log
        gauge = PoolGauge()
        idle = IdleConnections(gauge: gauge)
    }

    /// Lends a connection to a body, which runs on the connection's lane.
    ///
    /// - Throws: `connectionFailed`, `poolTimeout`, `poolFull`, `poolClosed`, or what the body
    ///   throws.
    package nonisolated func withConnection<Value: Sendable>(
        _ body: @Sendable (PostgresConnection) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        while true {
            let connection = try await borrow()
            switch await connection.serve(body) {
            case .lost:
                await discard(connection)
            case .done(let outcome, let state):
                switch state {
                case .reusable: if !idle.put(connection) { await release(connection) }
                case .spent: await discard(connection)
                case .silent:
                    await discard(connection)
                    // The idle connections use the same link; each would cost its caller the whole
                    // timeout.
                    await discardIdle()
                }
                return try outcome.get()
            }
        }
    }

    /// Takes a connection: usually one is idle, which needs no call of this actor.
    private nonisolated func borrow() async throws(PostgresError) -> PostgresConnection {
        if let connection = idle.take() { return connection }
        return try await acquire()
    }

    /// Runs one statement on any connection; see `PostgresConnection.query`.
    package nonisolated func query(
        _ sql: String, _ parameters: [any ColumnValue] = []
    ) async throws(PostgresError) -> Rows {
        try await withConnection { connection throws(PostgresError) in
            try await connection.query(sql, parameters)
        }
    }

    /// Runs statements in order, all or none, in one round trip on any connection.
    package nonisolated func query(batch: [Statement]) async throws(PostgresError) -> [Rows] {
        try await withConnection { connection throws(PostgresError) in
            try await connection.query(batch: batch)
        }
    }

    /// Runs several statements on any connection; see `PostgresConnection.script`.
    package nonisolated func script(_ sql: String) async throws(PostgresError) {
        try await withConnection { connection throws(PostgresError) in
            try await connection.script(sql)
        }
    }

    /// Runs a transaction on any connection; see `PostgresConnection.transaction`.
    package nonisolated func transaction<Value: Sendable>(
        _ body: @Sendable (Transaction) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        try await withConnection { connection throws(PostgresError) in
            try await connection.transaction(body)
        }
    }

    /// The state of the pool.
    package func health() -> PoolHealth {
        PoolHealth(
            open: count, idle: idle.count, waiting: waiters.count + pausing, failures: failures,
            lastError: lastError)
    }

    /// Closes idle connections now and the others when they come back; waiting tasks are refused.
    ///
    /// Returns once no connection is being opened, which takes a connection's time limit at most.
    package func close() async {
        isClosed = true
        expiry?.cancel()
        for waiter in waiters { waiter.resume(.refused(Self.closed)) }
        waiters = []
        idle.bypass(true)
        let leftovers = idle.takeAll()
        count -= leftovers.count
        for connection in leftovers { await connection.close() }
        await opening.finish()
    }

    static let closed = PostgresError(.poolClosed, "the connection pool is closed")
}
