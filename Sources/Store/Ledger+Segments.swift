// Further places for one download under the limits that it was claimed under.
package import Core
internal import Postgres

extension Ledger {
    /// Takes further places for a running download; they are given back with its own.
    ///
    /// - Parameters:
    ///   - extra: how many at most.
    ///   - id: the download.
    ///   - fence: its attempt's fence.
    ///   - limits: what the gates that have no limit of their own allow.
    /// - Returns: how many there was room for; 0 also if the fence moved on.
    /// - Throws: `unavailable`, after which they may be taken, or `refused`.
    package func widen(
        by extra: Int, _ id: Identifier, fence: Int64, limits: PolicyLimits
    ) async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                "SELECT lull_widen($1, $2, $3, $4, $5, $6)",
                [
                    replica, UUIDValue(id), fence, Int32(extra), Int32(limits.perOrigin),
                    Int32(limits.perSession),
                ])
            return Int(try rows[0].get(0, as: Int32.self))
        }
    }
}
