// A download is asked for with other headers, another body or other credentials.
package import Core
internal import Postgres

/// A request with its secrets sealed.
package struct SealedRequest: Sendable {
    /// What everybody may see.
    package var shape: RequestShape
    /// The secrets; nil without any.
    package let sealed: [UInt8]?

    /// Pairs them.
    package init(shape: RequestShape, sealed: [UInt8]?) {
        precondition(shape.hasSecrets == (sealed != nil), "what is shown is what is sealed")
        self.shape = shape
        self.sealed = sealed
    }
}

extension Downloads {
    /// Replaces what a live download is asked for with.
    static func replace(
        _ request: SealedRequest, of id: Identifier, in transaction: Transaction
    ) async throws(PostgresError) {
        let row = try await transaction.query(
            "SELECT spec FROM downloads WHERE id = $1", [UUIDValue(id)])[0]
        var spec = try row.stored(0, as: DownloadSpec.self) ?? .blank
        spec.request = request.shape
        _ = try await transaction.query(
            "UPDATE downloads SET spec = $2 WHERE id = $1",
            [UUIDValue(id), JSONText(spec.text(as: .stored))])
        guard let sealed = request.sealed else {
            _ = try await transaction.query(
                "DELETE FROM download_secrets WHERE id = $1", [UUIDValue(id)])
            return
        }
        _ = try await transaction.query(
            """
            INSERT INTO download_secrets (id, sealed) VALUES ($1, $2)
            ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed
            """, [UUIDValue(id), sealed])
    }
}
