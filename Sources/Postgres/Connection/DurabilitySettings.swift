// The settings on which the durability of a commit depends.

/// The settings that an accepted write depends on; see chapter 20.5 of the manual.
package struct DurabilitySettings: Sendable, Equatable {
    /// Whether the server waits for the disk.
    package let fsync: Bool
    /// What COMMIT waits for: `on`, `off`, `local`, `remote_write` or `remote_apply`.
    package let synchronousCommit: String
    /// Whether a torn page can be mended.
    package let fullPageWrites: Bool
    /// The version, such as 150018.
    package let serverVersion: Int

    /// Whether a committed transaction survives a crash of the server's machine.
    package var areSafe: Bool { fsync && fullPageWrites && synchronousCommit != "off" }
}

extension DurabilitySettings {
    fileprivate static let query = """
        SELECT current_setting('fsync')::boolean, current_setting('synchronous_commit'),
            current_setting('full_page_writes')::boolean,
            current_setting('server_version_num')::integer
        """

    fileprivate init(_ rows: Rows) throws(PostgresError) {
        guard let row = rows.first else {
            throw PostgresError(.decoding, "the server did not return its settings")
        }
        self.init(
            fsync: try row.get(0), synchronousCommit: try row.get(1),
            fullPageWrites: try row.get(2), serverVersion: try row.get(3))
    }
}

extension ConnectionPool {
    /// Asks the server, for this user and database.
    ///
    /// - Throws: as `query`.
    package func durabilitySettings() async throws(PostgresError) -> DurabilitySettings {
        try DurabilitySettings(await query(DurabilitySettings.query))
    }
}

extension PostgresConnection {
    /// Asks the server, for this user and database.
    ///
    /// - Throws: as `query`.
    package func durabilitySettings() throws(PostgresError) -> DurabilitySettings {
        try DurabilitySettings(query(DurabilitySettings.query))
    }
}
