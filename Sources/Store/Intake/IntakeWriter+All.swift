// Stores all downloads of a request or none, and cancels those that they replace.
internal import Base
internal import Downloads
internal import Postgres

extension IntakeWriter {
    /// The most transactions for one batch, while younger ones keep changing what it replaces.
    private static let triesAtMost = 16

    /// The end of one transaction.
    private enum End: Sendable {
        case stored([ActionOutcome])
        case taken
        case again
    }

    /// Stores all downloads or, if the key of their request or an external id is taken, none.
    ///
    /// - Returns: the downloads that were canceled because new ones replace them; nil if none is
    ///   stored.
    /// - Throws: `unavailable`, or `refused` for all of them.
    func storeAll(
        _ batch: [NewDownload], idempotency: KeyedAnswer?
    ) async throws(StoreError) -> [ActionOutcome]? {
        guard idempotency != nil || batch.contains(where: \.isApart) else {
            _ = try await withOrigins(of: batch) { origins throws(PostgresError) in
                try await insert(batch, origins)
            }
            return []
        }
        for _ in 0..<IntakeWriter.triesAtMost {
            let end = try await withOrigins(of: batch) { origins throws(PostgresError) in
                let columns = try await columns(batch, origins)
                return try await pool.transaction { transaction throws(PostgresError) in
                    try await storeAll(batch, columns, idempotency, in: transaction)
                }
            }
            switch end {
            case .stored(let replaced): return replaced
            case .taken: return nil
            case .again: continue
            }
        }
        throw StoreError(.unavailable, "other changes of the downloads kept coming in between")
    }

    private func storeAll(
        _ batch: [NewDownload], _ columns: IntakeColumns, _ idempotency: KeyedAnswer?,
        in transaction: Transaction
    ) async throws(PostgresError) -> End {
        // The apps' queues and the sessions are locked before any row.
        try await IntakeWriter.holdRoom(for: batch, in: transaction)
        guard let replacements = try await Replacements.hold(batch, in: transaction) else {
            return .again
        }
        var isFree = try await ExternalIDs.take(batch, in: transaction).isEmpty
        if isFree, let idempotency {
            isFree = try await IdempotencyKeys.keep(
                idempotency.key, idempotency.answer, showing: batch.map(\.download.id),
                in: transaction)
        }
        guard isFree else {
            try await ExternalIDs.leave(batch.map(\.download.id), in: transaction)
            try await replacements.giveBack(in: transaction)
            return .taken
        }
        let held = try await Flights.hold(batch, in: transaction)
        _ = try await transaction.query(columns.statement, columns.parameters)
        try await IntakeWriter.note(batch, in: transaction)
        try await Flights.join(batch, held, in: transaction)
        return .stored(try await replacements.cancel(facets: facets, in: transaction))
    }
}
