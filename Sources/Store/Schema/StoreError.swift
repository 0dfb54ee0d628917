// What can go wrong between us and the database, as those above us see it.
package import Postgres

/// A failure of the store; expected outcomes are values instead.
package struct StoreError: Error, Sendable, CustomStringConvertible {
    /// Stable names.
    package enum Code: String, Sendable {
        /// The database does not answer; try again.
        case unavailable
        /// Too much is waiting to be written; try again.
        case overloaded
        /// The replica's lease is over: nothing that it ran is its own any more.
        case leaseLost
        /// A session takes no downloads any more.
        case sessionClosed
        /// An app has as many downloads that wait and run as it may have.
        case queueFull
        /// The store refused a value, or is not what this program expects.
        case refused
    }

    /// Which.
    package let code: Code
    /// For the log, not for clients.
    package let detail: String

    /// Names a failure.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Sorts a failure of the database.
    package init(_ error: PostgresError) {
        if error.sqlState == "LU001" {
            self.init(.leaseLost, error.message)
        } else if error.sqlState == "LU004" {
            self.init(.sessionClosed, error.message)
        } else if error.sqlState == "LU005" {
            self.init(.queueFull, error.message)
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

    /// What failed and why, in one line for a person.
    package var description: String {
        switch code {
        case .leaseLost: "the lease is over: \(detail)"
        case .unavailable, .overloaded, .sessionClosed, .queueFull, .refused: detail
        }
    }

    /// Whether one row of a statement may be the cause, so that the others can stand without it.
    var isOfOneAlone: Bool { code == .refused || code == .sessionClosed || code == .queueFull }

    /// Seconds after which trying again makes sense.
    package var retryAfterSeconds: Int { code == .overloaded ? 1 : 2 }
}

/// Runs a body against the database and sorts its failures.
func sorting<Value>(
    _ body: () async throws(PostgresError) -> Value
) async throws(StoreError) -> Value {
    do throws(PostgresError) {
        return try await body()
    } catch {
        throw StoreError(error)
    }
}

/// Runs a body that may be carried out twice, up to three times while its connection breaks.
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
    /// Whether an origin was removed whose number was still remembered.
    var isRemovedOrigin: Bool { sqlState == "LU002" }

    /// Whether the statement was right for an earlier state of the database; a new one may succeed.
    var isOfAnOlderState: Bool { isRemovedOrigin || sqlState == "LU003" }
}
