// Records files that a replica does not find; people may say that they will not come back.
package import Base
internal import Postgres

extension Replicas {
    /// Records how many files a replica does not find.
    ///
    /// - Parameters:
    ///   - count: how many are missing and do not count as lost.
    ///   - instance: its data directory.
    /// - Returns: the number of the data directory, and whether an operator said that the files do
    ///   not come back.
    /// - Throws: `unavailable` or `refused`.
    package func note(
        missing count: Int64, of instance: Identifier
    ) async throws(StoreError) -> (number: Int64, isAccepted: Bool) {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                WITH changed AS (
                    UPDATE instances SET missing = $2, loss_accepted = loss_accepted AND $2 > 0
                    WHERE instance = $1 AND missing <> $2)
                SELECT instance_no, loss_accepted AND $2 > 0 FROM instances WHERE instance = $1
                """, [instance, count])
            guard let row = rows.first else { return (0, false) }
            let (number, isAccepted): (Int64, Bool) = try row.values()
            return (number, isAccepted)
        }
    }

    /// Records that the missing files of a replica will not come back.
    ///
    /// - Parameter number: the number of its data directory.
    /// - Returns: whether there is such a replica, and how many files it misses.
    /// - Throws: `unavailable` or `refused`.
    package func acceptLoss(of number: Int64) async throws(StoreError) -> LossAcceptance {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                WITH found AS (
                    SELECT i.instance, i.missing, EXISTS (SELECT FROM replicas r
                        WHERE r.instance = i.instance AND r.expires_at > clock_timestamp()) AS works
                    FROM instances i WHERE i.instance_no = $1),
                accepted AS (
                    UPDATE instances i SET loss_accepted = true FROM found f
                    WHERE i.instance = f.instance AND f.works AND f.missing > 0)
                SELECT missing, works FROM found
                """, [number])
            guard let row = rows.first else { return .unknown }
            let (missing, works): (Int64, Bool) = try row.values()
            guard works else { return .away }
            return missing > 0 ? .done(missing) : .nothingMissing
        }
    }
}
