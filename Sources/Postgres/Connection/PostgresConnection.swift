// One session with the server, on its own lane because libpq blocks.
internal import Platform

/// A connection to the server; it serves one task at a time, so take it from a pool.
package actor PostgresConnection {
    /// The lane on which libpq blocks.
    nonisolated private let lane: QueueExecutor
    private let url: String
    let options: ConnectionOptions
    var handle: ConnectionHandle?
    var statements: StatementCache
    /// The number of the open transaction, increased at each begin and end; odd while a transaction
    /// is open.
    var transactionNumber: UInt64 = 0
    /// Whether the open transaction is rolled back although its body succeeds.
    var rollsBack = false
    /// Whether the session was closed because no answer came in time.
    private(set) var wasSilent = false
    /// The age of the plans; nil if PostgreSQL may make a plan for each call.
    var planExpiry: PlanExpiry?

    /// Creates a closed connection; `open()` connects.
    ///
    /// - Parameters:
    ///   - url: a URL or a keyword/value string of libpq (34.1.1 of the manual).
    ///   - options: how the session behaves.
    package init(url: String, options: ConnectionOptions = ConnectionOptions()) {
        self.url = url
        self.options = options
        statements = StatementCache(limit: options.preparedStatementsMax)
        lane = QueueExecutor(label: "postgres")
    }

    /// The lane as the executor of this actor.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe lane.asUnownedSerialExecutor()
    }

    /// Connects and sets the session up.
    ///
    /// - Throws: `connectionFailed`.
    package func open() throws(PostgresError) {
        precondition(handle == nil, "a connection opens once")
        let opened = try ConnectionHandle(url: url, options: options)
        if !options.keepsSettingsInTransactions {
            guard let result = opened.execute(options.settings(local: false)) else {
                throw PostgresError(.connectionFailed, silence)
            }
            guard result.isSuccess else {
                throw PostgresError(
                    .connectionFailed, result.message ?? opened.message, sqlState: result.sqlState)
            }
        }
        handle = consume opened
        if options.reusesPlans { planExpiry = PlanExpiry(from: SystemClock.bootNanoseconds()) }
    }

    /// Makes the server discard plans that are too old.
    func renewPlans() throws(PostgresError) {
        guard planExpiry?.isOver(at: SystemClock.bootNanoseconds()) == true else { return }
        try check(execute(true) { $0.execute("DISCARD PLANS") }, inTransaction: true)
    }

    /// Closes the session; later calls fail with `connectionLost`.
    package func close() {
        handle = nil
    }

    /// Whether a statement can be sent.
    package var isOpen: Bool { handle?.isBroken == false }

    /// The process number of the session on the server, 0 when closed.
    package var backendPID: Int32 { handle?.backendPID ?? 0 }

    /// The numeric address and the port of the server; nil over a Unix socket or when closed.
    package var peer: (address: String, port: Int)? { handle?.peer }

    /// The number of prepared statements.
    package var preparedCount: Int { statements.count }

    /// Whether the session may serve another task: it is open and in no transaction.
    var isReusable: Bool {
        guard let isBroken = handle?.isBroken, let isIdle = handle?.isIdle else { return false }
        return !isBroken && isIdle
    }

    /// Runs one statement and reads all rows.
    ///
    /// - Parameters:
    ///   - sql: one statement with `$1`, `$2`, … for the parameters.
    ///   - parameters: the values, at most 65,535.
    /// - Returns: the rows, and how many were affected.
    /// - Throws: `statementFailed`; `connectionLost` when the work is certainly undone;
    ///   `outcomeUnknown` when the connection broke outside of a transaction.
    package func query(
        _ sql: String, _ parameters: [any ColumnValue] = []
    ) throws(PostgresError) -> Rows {
        let inTransaction = try prepareToSend()
        let list = ParameterList(parameters)
        if options.keepsSettingsInTransactions, !inTransaction {
            guard let rows = try query(batch: [Statement(sql, parameters)]).first else {
                preconditionFailure("a batch answers each of its statements")
            }
            return rows
        }
        guard options.preparesStatements else {
            return try rows(
                execute(inTransaction) { $0.execute(sql, list) }, inTransaction: inTransaction)
        }
        let key = StatementCache.Key(sql: sql, types: list.types)
        let wasPrepared = statements.name(of: key) != nil
        do throws(PostgresError) {
            return try run(key, list, inTransaction: inTransaction)
        } catch {
            guard wasPrepared, error.meansStalePlan else { throw error }
            statements.remove(key)
            guard !inTransaction else { throw error }
            return try run(key, list, inTransaction: false)
        }
    }

    /// Runs several statements without parameters, as one transaction unless they contain BEGIN.
    ///
    /// - Throws: as `query`.
    package func script(_ sql: String) throws(PostgresError) {
        let inTransaction = try prepareToSend()
        try check(execute(inTransaction) { $0.execute(sql) }, inTransaction: inTransaction)
    }
}

extension PostgresConnection {
    /// Runs a statement, and prepares it first if necessary.
    private func run(
        _ key: StatementCache.Key, _ list: ParameterList, inTransaction: Bool
    ) throws(PostgresError) -> Rows {
        if let name = statements.name(of: key) {
            return try rows(
                execute(inTransaction) { $0.execute(prepared: name, list) },
                inTransaction: inTransaction)
        }
        let name = statements.makeName()
        // A connection that is lost while preparing leaves no effect, as in a transaction.
        try check(
            execute(true) { $0.prepare(name: name, sql: key.sql, types: key.types) },
            inTransaction: true)
        statements.insert(key, name: name)
        try deallocateSurplus()
        return try rows(
            execute(inTransaction) { $0.execute(prepared: name, list) },
            inTransaction: inTransaction)
    }

    /// Fails if the server has ended the session, before a statement is sent into it.
    ///
    /// - Returns: whether a transaction is open.
    func prepareToSend() throws(PostgresError) -> Bool {
        guard let isIdle = handle?.isIdle else {
            throw PostgresError(.connectionLost, "the connection is closed")
        }
        guard isIdle else { return true }
        guard handle?.isAlive() == true else {
            throw PostgresError(.connectionLost, "the server ended the session")
        }
        return false
    }

    /// Deallocates the statements that the cache evicted; must not be called in a failed
    /// transaction.
    func deallocateSurplus() throws(PostgresError) {
        while let old = statements.nextSurplus() {
            // It is no failure if the server has forgotten the statement by itself (26000).
            let result = try execute(true) { $0.execute("DEALLOCATE \(old)") }
            if result.sqlState != "26000" { try check(result, inTransaction: true) }
        }
    }

    /// Calls libpq, and closes the session if it does not answer in time.
    ///
    /// - Parameters:
    ///   - inTransaction: whether its end undoes the statement.
    ///   - call: what to call.
    /// - Returns: the answer.
    /// - Throws: the error of a missing answer.
    func execute(
        _ inTransaction: Bool, _ call: (borrowing ConnectionHandle) -> ResultHandle?
    ) throws(PostgresError) -> ResultHandle {
        guard let answer = try ask(call) else { throw giveUp(inTransaction) }
        return answer
    }

    private func ask(
        _ call: (borrowing ConnectionHandle) -> ResultHandle?
    ) throws(PostgresError) -> ResultHandle? {
        switch handle {
        case .some(let handle): return call(handle)
        case nil: throw PostgresError(.connectionLost, "the connection is closed")
        }
    }

    /// Closes a silent session; the server may still carry out the statements that it was sent.
    func giveUp(_ inTransaction: Bool) -> PostgresError {
        close()
        wasSilent = true
        return PostgresError(inTransaction ? .connectionLost : .outcomeUnknown, silence)
    }

    private var silence: String {
        "the database did not answer within \(options.callTimeoutMilliseconds) ms"
    }

    /// Throws the error that the server or libpq reported, if any.
    func check(_ result: borrowing ResultHandle, inTransaction: Bool) throws(PostgresError) {
        guard !result.isSuccess else { return }
        throw error(result, inTransaction: inTransaction)
    }

    /// The error that the server or libpq reported, with a code that says whether its work may be
    /// done.
    func error(_ result: borrowing ResultHandle, inTransaction: Bool) -> PostgresError {
        let isBroken = handle?.isBroken ?? true
        let code: PostgresError.Code =
            !isBroken ? .statementFailed : inTransaction ? .connectionLost : .outcomeUnknown
        return PostgresError(
            code, result.message ?? handle?.message ?? "PostgreSQL gave no message",
            sqlState: result.sqlState, detail: result.detail, constraint: result.constraint)
    }

    private func rows(
        _ result: consuming ResultHandle, inTransaction: Bool
    ) throws(PostgresError) -> Rows {
        try check(result, inTransaction: inTransaction)
        return result.rows()
    }
}
