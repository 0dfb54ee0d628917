// The error type of everything that concerns the database.

/// A failure of the database, of the connection to it, or of the server that this program runs.
package struct PostgresError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of a failure, stable for programs.
    package enum Code: String, Sendable, CaseIterable {
        /// No connection could be opened.
        case connectionFailed
        /// The connection broke; the work was rolled back or never sent.
        case connectionLost
        /// The connection broke while a commit may have happened; read again to find out.
        case outcomeUnknown
        /// The server refused a statement; `sqlState` has the reason.
        case statementFailed
        /// COMMIT was answered by ROLLBACK, because an earlier statement had failed.
        case rolledBack
        /// A column held another type or value than the code expects.
        case decoding
        /// The pool was closed.
        case poolClosed
        /// No connection became free in time.
        case poolTimeout
        /// Too many tasks wait for a connection already.
        case poolFull
        /// No PostgreSQL server is installed, or one that is too old.
        case serverMissing
        /// No unprivileged account exists that a server could run as.
        case serverAccount
        /// The server's account cannot reach or own the directory.
        case serverDirectory
        /// The server that this program runs did not start or did not stop.
        case serverFailed
    }

    /// The kind of the failure.
    package let code: Code
    /// One sentence for a person.
    package let message: String
    /// The SQLSTATE of the server (appendix A of its manual); nil without one.
    package let sqlState: String?
    /// The server's detail line, which may quote data.
    package let detail: String?
    /// The violated constraint's name.
    package let constraint: String?

    /// Creates an error.
    package init(
        _ code: Code, _ message: String, sqlState: String? = nil, detail: String? = nil,
        constraint: String? = nil
    ) {
        self.code = code
        self.message = message
        self.sqlState = sqlState
        self.detail = detail
        self.constraint = constraint
    }

    /// Whether the same work may succeed when it is tried again from the start.
    ///
    /// False for `outcomeUnknown`: the work may be done already.
    package var isRetryable: Bool {
        switch code {
        case .connectionFailed, .connectionLost, .poolTimeout, .poolFull: true
        case .statementFailed, .rolledBack: sqlState.map(Self.isTransient) ?? false
        case .outcomeUnknown, .decoding, .poolClosed: false
        case .serverMissing, .serverAccount, .serverDirectory, .serverFailed: false
        }
    }

    /// Whether a value was refused (class 22, data exception).
    package var isDataException: Bool { sqlState?.hasPrefix("22") ?? false }
    /// Whether a constraint was violated (class 23).
    package var isConstraintViolation: Bool { sqlState?.hasPrefix("23") ?? false }
    /// Whether a row with the same key exists (23505).
    package var isUniqueViolation: Bool { sqlState == "23505" }
    /// Whether a row that is referred to is missing (23503).
    package var isForeignKeyViolation: Bool { sqlState == "23503" }

    /// Whether a prepared statement has to be prepared again: the server forgot it (26000), or a
    /// table changed under its plan (0A000).
    var meansStalePlan: Bool { sqlState == "26000" || sqlState == "0A000" }

    /// The failure and its reason, in one line for a person.
    package var description: String {
        let state = sqlState.map { " (SQLSTATE \($0))" } ?? ""
        return summary.map { "\($0): \(message)\(state)" } ?? message + state
    }

    /// The operation that failed; nil if the message alone is a sentence.
    package var summary: String? {
        switch code {
        case .connectionFailed: "the database cannot be reached"
        case .connectionLost: "the connection to the database broke"
        case .outcomeUnknown: "the connection to the database broke during a commit"
        case .statementFailed: "the database refused a statement"
        case .rolledBack: "the database rolled a transaction back"
        case .decoding: "the answer of the database cannot be read"
        case .poolClosed, .poolTimeout, .poolFull: nil
        case .serverMissing, .serverAccount, .serverDirectory, .serverFailed: nil
        }
    }

    /// Whether the server lacked a resource for the moment, independent of the values.
    private static func isTransient(_ sqlState: String) -> Bool {
        switch sqlState {
        // Serialization failure, deadlock, lock not available, unknown statement.
        case "40001", "40P01", "55P03", "26000": true
        // Canceled by a timeout, idle in a transaction for too long, a standby after a fail-over.
        case "57014", "25P03", "25006": true
        // Out of memory, disk or connections; disk failure; shutdown, crash, start-up; lost
        // connection.
        default: ["53", "58", "57P0", "08"].contains { sqlState.hasPrefix($0) }
        }
    }
}
