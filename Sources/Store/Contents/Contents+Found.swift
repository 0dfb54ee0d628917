// Makes lost content available again whose file is found.
package import Base
internal import Downloads
internal import Postgres

extension Contents {
    /// The attempt, length and digest of a download's lost file; nil if none is lost.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func lostFile(of id: Identifier) async throws(StoreError) -> LostFile? {
        try await sorting { () throws(PostgresError) in
            guard let row = try await pool.query(Downloads.reread, [id]).first
            else { return nil }
            let record = try DownloadRecord(row)
            guard let fence = record.contentFence, let content = record.download.result.content,
                content.state == .lost
            else { return nil }
            return LostFile(fence: fence, length: content.length, sha256: content.sha256)
        }
    }

    /// Records that a lost file was found with its digest, so that it is content again.
    ///
    /// - Parameters:
    ///   - id: the download.
    ///   - fence: the attempt in the file's name.
    ///   - instance: the data directory that has it now.
    /// - Returns: whether it was lost until now.
    /// - Throws: `unavailable` or `refused`.
    package func markFound(
        _ id: Identifier, fence: Int64, in instance: Identifier
    ) async throws(StoreError) -> Bool {
        let isRegained = try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                try await Contents.lockDownloads([id], in: transaction)
                let rows = try await transaction.query(Downloads.reread, [id])
                guard let row = rows.first else { return false }
                let record = try DownloadRecord(row)
                guard record.contentFence == fence,
                    record.download.result.content?.state == .lost
                else { return false }
                let kept = try await transaction.query(
                    """
                    UPDATE contents SET instance = $3 WHERE id = $1 AND fence = $2
                        AND phase = lull_content_phase('lost') RETURNING 1
                    """, [id, fence, instance])
                guard !kept.isEmpty else { return false }
                try await Contents.write(
                    [ContentChange(record, event: nil, state: .held, phase: .held)],
                    in: transaction)
                return true
            }
        }
        if isRegained { changes.changed([id]) }
        return isRegained
    }
}
