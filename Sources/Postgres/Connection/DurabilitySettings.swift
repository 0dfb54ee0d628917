// The server's settings that make a commit durable.

/// The settings on which the durability of an accepted write depends; see chapter 20.5 of the
/// manual.
package struct DurabilitySettings: Sendable, Equatable {
    /// Whether the server waits until its writes are on disk.
    package let fsync: Bool
    /// The event that COMMIT waits for: `on`, `off`, `local`, `remote_write` or `remote_apply`.
    package let synchronousCommit: String
    /// Whether a page that was half written in a crash can be restored.
    package let fullPageWrites: Bool
    /// The server's version as a number, such as 150018.
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
        let (fsync, synchronousCommit, fullPageWrites, version): (Bool, String, Bool, Int) =
            try row.values()
        self.init(
            fsync: fsync, synchronousCommit: synchronousCommit, fullPageWrites: fullPageWrites,
            serverVersion: version)
    }
}

extension ConnectionPool {
    /// Reads the settings from the server, for this user and database.
    ///
    /// - Throws: as `query`.
    package func durabilitySettings() async throws(PostgresError) -> DurabilitySettings {
        try DurabilitySettings(await query(DurabilitySettings.query))
    }
}

extension PostgresConnection {
    /// Reads the settings from the server, for this user and database.
    ///
    /// - Throws: as `query`.
    package func durabilitySettings() throws(PostgresError) -> DurabilitySettings {
        try DurabilitySettings(query(DurabilitySettings.query))
    }
}
