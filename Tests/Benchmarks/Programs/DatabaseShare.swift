// The cost of a workload in the database, in numbers that other programs do not move.
import Foundation

/// One reading of a private database; the difference of two is the use between them.
struct DatabaseShare {
    /// Bytes of the write-ahead log.
    private let log: Int
    /// Transactions that sessions have reported; they report within a second.
    private let transactions: Int

    /// Reads the counters of the database of a service.
    init(of lull: LullServer, _ plan: Plan) throws {
        log = try lull.value("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn", plan: plan)
        transactions = try lull.value(
            "SELECT sum(xact_commit + xact_rollback) FROM pg_stat_database", plan: plan)
    }

    /// The use since an earlier reading, for each of this many units of work.
    func each(of units: Int, since earlier: DatabaseShare) -> [String: Double] {
        [
            "wal_bytes_each": Double(log - earlier.log) / Double(units),
            "transactions_each": Double(transactions - earlier.transactions) / Double(units),
        ]
    }
}
