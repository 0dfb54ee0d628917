// Failures of the database in the form for the store's callers.
package import Postgres

/// A failure of the store; expected results are values instead.
package struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The stable codes.
    package enum Code: String, Sendable {
        /// The database does not answer; try again.
        case unavailable
        /// Too many writes are waiting; try again.
        case overloaded
        /// The replica's lease has ended: its runs no longer belong to it.
        case leaseLost
        /// A session no longer accepts downloads.
        case sessionClosed
        /// An app has reached its limit of waiting and running downloads.
        case queueFull
        /// The uploads of an app would have more bytes here than they may.
        case stagingFull
        /// The store refused a value, or differs from what this program expects.
        case refused
    }

    /// The code.
    package let code: Code
    /// A description for the log, not for clients.
    package let detail: String

    /// Creates a failure.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Creates the failure for an error of the database.
    package init(_ error: PostgresError) {
        if error.sqlState == "LU001" {
            self.init(.leaseLost, error.message)
        } else if error.sqlState == "LU004" {
            self.init(.sessionClosed, error.message)
        } else if error.sqlState == "LU005" {
            self.init(.queueFull, error.message)
        } else if error.sqlState == "LU006" {
            self.init(.stagingFull, error.message)
        } else if error.isOfAnOlderState {
            self.init(.unavailable, error.message)
        } else if error.code == .statementFailed, !error.isRetryable {
            self.init(.refused, error.description)
        } else if error.code == .poolFull {
            self.init(.overloaded, error.description)
        } else if error.code == .decoding {
            self.init(.refused, error.description)
        } else {
            self.init(.unavailable, error.description)
        }
    }

    /// The failure and its reason, in one line for a person.
    package var description: String {
        switch code {
        case .leaseLost: "the lease of this replica has expired: \(detail)"
        case .unavailable, .overloaded, .sessionClosed, .queueFull, .stagingFull, .refused: detail
        }
    }

    /// Whether one row of a statement may be the cause, so that the statement can succeed without
    /// it.
    var isOfOneAlone: Bool {
        switch code {
        case .refused, .sessionClosed, .queueFull, .stagingFull: true
        case .unavailable, .overloaded, .leaseLost: false
        }
    }

    /// Seconds after which a repetition makes sense.
    package var retryAfterSeconds: Int { code == .overloaded ? 1 : 2 }
}

/// Runs a closure that uses the database, and converts its failures.
func sorting<Value>(
    _ body: () async throws(PostgresError) -> Value
) async throws(StoreError) -> Value {
    do throws(PostgresError) {
        return try await body()
    } catch {
        throw StoreError(error)
    }
}

/// Runs a closure that may be repeated, up to three times while its connection breaks.
func repeating<Value>(
    _ body: () async throws(PostgresError) -> Value
) async throws(StoreError) -> Value {
    for _ in 0..<2 {
        do throws(PostgresError) {
            return try await body()
        } catch {
            guard error.code == .outcomeUnknown || error.code == .connectionLost else {
                throw StoreError(error)
            }
        }
    }
    return try await sorting(body)
}

extension PostgresError {
    /// Whether an origin was removed whose number was remembered.
    var isRemovedOrigin: Bool { sqlState == "LU002" }

    /// Whether the statement was right for an earlier state of the database; a new one may succeed.
    var isOfAnOlderState: Bool { isRemovedOrigin || sqlState == "LU003" }
}
