// Declares content of gone replicas lost, and puts downloads back that are fetched again without a
// request.
package import Base
internal import Downloads
internal import Postgres

extension Contents {
    /// The result of a batch of a data directory's files.
    package struct Loss: Sendable {
        /// The number of files that are lost now.
        package var count = 0
        /// The number of their downloads that are fetched again.
        package var refetched = 0
        /// Whether a webhook was written.
        package var emitsEvent = false
        /// The last file that was looked at; nil after the last one.
        package var last: Identifier?
    }

    /// Declares files of a data directory without a replica lost; after the last file the data
    /// directory counts as gone.
    ///
    /// One process at a time does this. The rows of the files stay: a file that a returning replica
    /// finds with its digest becomes content again.
    ///
    /// - Parameters:
    ///   - instance: the data directory.
    ///   - after: only files behind this one.
    ///   - limit: at most so many.
    /// - Returns: nil if a replica works there again, another process does the same, or it is done.
    /// - Throws: `unavailable` or `refused`.
    package func markLost(
        of instance: Identifier, after: Identifier?, limit: Int
    ) async throws(StoreError) -> Loss? {
        let (loss, ids) = try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                try await markLost(
                    of: instance, after: after, limit: limit, in: transaction)
            }
        }
        changes.changed(ids)
        return loss
    }

    private func markLost(
        of instance: Identifier, after: Identifier?, limit: Int, in transaction: Transaction
    ) async throws(PostgresError) -> (Loss?, [Identifier]) {
        let name = instance
        let absent = try await transaction.query(
            """
            SELECT 1 FROM instances i WHERE i.instance = $1 AND i.gone_at IS NULL
                AND NOT EXISTS (SELECT FROM replicas r WHERE r.instance = i.instance)
            FOR UPDATE SKIP LOCKED
            """, [name])
        guard !absent.isEmpty else { return (nil, []) }
        let rows = try await transaction.query(
            """
            SELECT id FROM contents
            WHERE instance = $1 AND phase < lull_content_phase('released')
                AND ($3::uuid IS NULL OR id > $3)
            ORDER BY id LIMIT $2
            """, [name, Int64(limit), after])
        let ids: [Identifier] = try rows.column()
        guard let last = ids.last else {
            _ = try await transaction.query(
                """
                UPDATE instances SET gone_at = clock_timestamp(), missing = 0, loss_accepted = false
                WHERE instance = $1
                """, [name])
            return (Loss(), [])
        }
        var gate = try await QueueGate(for: ids, in: transaction)
        let records = try await Contents.lock(ids, in: transaction).map(\.0)
        let list = records.map {
            ContentChange($0, event: .contentLost, state: .lost, phase: .lost)
        }
        try await Contents.write(list, in: transaction)
        var loss = Loss()
        loss.count = list.count
        loss.emitsEvent = list.contains { $0.emitsEvent }
        loss.refetched = try await refetch(records, through: &gate, in: transaction)
        loss.last = last
        return (loss, list.map(\.download.id))
    }

    /// Puts downloads with lost content back into the queue if their session asks for that.
    ///
    /// The secrets of a request were erased at its end, so a download with secrets waits for a
    /// retry that brings them again. So does a download that the gate refuses, or whose
    /// destinations are no longer allowed, and one whose file was sent on, because the other side
    /// has it.
    ///
    /// - Returns: how many.
    func refetch(
        _ records: [DownloadRecord], through gate: inout QueueGate, in transaction: Transaction
    ) async throws(PostgresError) -> Int {
        let candidates = records.filter {
            !$0.download.spec.request.hasSecrets && !$0.download.spec.isErased
                && !$0.download.spec.isSentOn
        }
        guard !candidates.isEmpty else { return 0 }
        let rows = try await transaction.query(
            """
            SELECT d.id FROM downloads d JOIN sessions s ON s.session_no = d.session_no
            WHERE d.id = ANY ($1) AND (s.configuration->>'refetch_lost')::boolean
            ORDER BY d.id
            """, [candidates.map(\.download.id)])
        var revived: [Identifier] = []
        for row in rows {
            let id: Identifier = try row.only()
            guard gate.refusal(of: id) == nil else { continue }
            var record = try DownloadRecord(
                try await transaction.query(Downloads.reread, [id])[0])
            guard isAllowed(record.download, gate.appName(of: id)) else { continue }
            // Under a policy with facets its row gets its facet a little later.
            try await Downloads.revive(
                &record, through: &gate, facets: FacetBook(), in: transaction)
            try await Downloads.note(.waiting, of: record.download, in: transaction)
            revived.append(id)
        }
        try await Downloads.enterLanes(revived, in: transaction)
        return revived.count
    }

    /// The place where the file of a download is kept; nil if there is none.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func holder(of id: Identifier) async throws(StoreError) -> ContentHolder? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT c.instance, r.replica_no IS NOT NULL, r.address FROM contents c
                LEFT JOIN LATERAL (
                    SELECT x.replica_no, x.address FROM replicas x
                    WHERE x.instance = c.instance AND x.expires_at > clock_timestamp()
                    ORDER BY x.replica_no DESC LIMIT 1) r ON true
                WHERE c.id = $1 AND c.phase < lull_content_phase('released')
                """, [id])
            guard let row = rows.first else { return nil }
            let (instance, works, address): (Identifier, Bool, String?) = try row.values()
            return ContentHolder(instance: instance, works: works, address: address)
        }
    }
}
