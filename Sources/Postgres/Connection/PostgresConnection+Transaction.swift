// Running the body of a transaction between BEGIN and its end.

extension PostgresConnection {
    /// Runs a body between BEGIN and COMMIT, on this connection's lane.
    ///
    /// A body that throws is rolled back. Transactions do not nest.
    ///
    /// - Parameter body: the statements; it runs once.
    /// - Returns: the body's value, after a successful COMMIT.
    /// - Throws: what the body throws; `outcomeUnknown` if the connection broke during COMMIT;
    ///   `rolledBack` if the body hid a failed statement.
    package func transaction<Value: Sendable>(
        _ body: @Sendable (Transaction) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        try begin()
        let value: Value
        do throws(PostgresError) {
            value = try await body(Transaction(connection: self, number: transactionNumber))
        } catch {
            rollBack()
            throw error
        }
        if rollsBack { rollBack() } else { try commit() }
        return value
    }

    /// Runs a body with this connection on its lane.
    func serve<Value: Sendable>(
        _ body: @Sendable (PostgresConnection) async throws(PostgresError) -> Value
    ) async -> Served<Value> {
        do throws(PostgresError) {
            if try prepareToSend() { return .lost }
            try renewPlans()
        } catch {
            return wasSilent ? .done(.failure(error), .silent) : .lost
        }
        do throws(PostgresError) {
            let value = try await body(self)
            return .done(.success(value), after)
        } catch {
            return .done(.failure(error), after)
        }
    }

    private var after: SessionState {
        isReusable ? .reusable : wasSilent ? .silent : .spent
    }

    func query(
        _ sql: String, _ parameters: [any ColumnValue], in number: UInt64
    ) throws(PostgresError) -> Rows {
        precondition(number == transactionNumber, "the transaction has ended")
        return try query(sql, parameters)
    }

    func query(batch: [Statement], in number: UInt64) throws(PostgresError) -> [Rows] {
        precondition(number == transactionNumber, "the transaction has ended")
        return try query(batch: batch)
    }

    func script(_ sql: String, in number: UInt64) throws(PostgresError) {
        precondition(number == transactionNumber, "the transaction has ended")
        try script(sql)
    }

    func rollBackAtEnd(_ number: UInt64) {
        precondition(number == transactionNumber, "the transaction has ended")
        rollsBack = true
    }

    private func begin() throws(PostgresError) {
        precondition(transactionNumber.isMultiple(of: 2), "transactions do not nest")
        let inTransaction = try prepareToSend()
        precondition(!inTransaction, "a script left a transaction open")
        let settings = options.keepsSettingsInTransactions ? options.settings(local: true) : ""
        // A connection that is lost before the commit leaves no effect.
        try check(
            execute(true) { $0.execute("BEGIN ISOLATION LEVEL READ COMMITTED; \(settings)") },
            inTransaction: true)
        transactionNumber += 1
        rollsBack = false
    }

    private func commit() throws(PostgresError) {
        transactionNumber += 1
        let result = try execute(false) { $0.execute("COMMIT") }
        try check(result, inTransaction: false)
        guard result.commandTag == "COMMIT" else {
            throw PostgresError(.rolledBack, "a statement failed before COMMIT")
        }
    }

    private func rollBack() {
        transactionNumber += 1
        do throws(PostgresError) {
            try check(execute(true) { $0.execute("ROLLBACK") }, inTransaction: true)
        } catch {
            // The session cannot be used any more; the server rolls back when the session ends.
            close()
        }
    }
}

/// The outcome of a body that was given a connection.
enum Served<Value: Sendable>: Sendable {
    /// The connection was lost before the body could start.
    case lost
    /// The body ran, with this result, and left the session in this state.
    case done(Result<Value, PostgresError>, SessionState)
}

/// The state of a session after a body.
enum SessionState: Sendable {
    /// Another body may use it.
    case reusable
    /// It is broken, or still in a transaction.
    case spent
    /// It was closed because no answer came in time.
    case silent
}
