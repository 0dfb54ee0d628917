// The operations that the body of a transaction may use.

/// An open transaction; unusable once the body that received it has ended.
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

    /// Makes the transaction end by ROLLBACK although its body returns a value.
    package func rollBackAtEnd() async {
        await connection.rollBackAtEnd(number)
    }
}
