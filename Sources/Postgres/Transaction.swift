// What the body of a transaction may do.

/// How much a transaction sees of the others.
package enum TransactionMode: String, Sendable {
    /// Each statement sees what was committed before it.
    case readCommitted = "ISOLATION LEVEL READ COMMITTED"
    /// All statements see the same.
    case repeatableRead = "ISOLATION LEVEL REPEATABLE READ"
    /// As if one transaction ran after the other; expect 40001.
    case serializable = "ISOLATION LEVEL SERIALIZABLE"
    /// All statements read one snapshot, and none writes.
    case readOnly = "ISOLATION LEVEL REPEATABLE READ READ ONLY"
}

/// An open transaction; of no use after the body that got it has ended.
package struct Transaction: Sendable {
    private let connection: PostgresConnection
    private let number: UInt64

    init(connection: PostgresConnection, number: UInt64) {
        self.connection = connection
        self.number = number
    }

    /// Runs one statement; see `PostgresConnection.query`.
    package func query(
        _ sql: String, _ parameters: [any ColumnValue] = []
    ) async throws(PostgresError) -> Rows {
        try await connection.query(sql, parameters, in: number)
    }

    /// Runs statements in order in one round trip; see `PostgresConnection.query(batch:)`.
    package func query(batch: [Statement]) async throws(PostgresError) -> [Rows] {
        try await connection.query(batch: batch, in: number)
    }

    /// Runs several statements without parameters.
    package func script(_ sql: String) async throws(PostgresError) {
        try await connection.script(sql, in: number)
    }

    /// Lets the transaction end by ROLLBACK though its body returns a value.
    package func rollBackAtEnd() async {
        await connection.rollBackAtEnd(number)
    }

    /// Runs statements that are undone alone when they fail.
    ///
    /// - Throws: what `body` throws, after ROLLBACK TO SAVEPOINT.
    package func savepoint<Value: Sendable>(
        _ body: @Sendable (Transaction) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        try await script("SAVEPOINT lull")
        do throws(PostgresError) {
            let value = try await body(self)
            try await script("RELEASE SAVEPOINT lull")
            return value
        } catch {
            guard error.code == .statementFailed || error.code == .decoding else { throw error }
            try await script("ROLLBACK TO SAVEPOINT lull; RELEASE SAVEPOINT lull")
            throw error
        }
    }
}
