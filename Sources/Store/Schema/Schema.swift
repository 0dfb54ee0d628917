// The text of the schema, compiled in: numbered files of tables, and the current functions.
internal import Base

/// The files of `migrations/`.
package enum Schema {
    /// One numbered file: tables and indexes, and changes of them.
    package struct Migration: Sendable {
        /// Its number, from 1 up.
        package let number: Int
        /// Its file's name.
        package let name: String
        /// Its text, without functions.
        package let sql: String

        /// The digest of the text.
        package var checksum: String { Schema.checksum(of: sql) }
    }

    /// The numbered files, in order.
    ///
    /// A file that was released never changes.
    package static let migrations: [Migration] = [
        Migration(
            number: 1, name: "0001_schema.sql",
            sql: String(decoding: PackageResources._001_schema_sql, as: UTF8.self))
    ]

    /// The files of `migrations/functions/`: the one current text of each function of the database.
    package static let functions: [String] = [
        // Functions that others call come first.
        PackageResources.codes_sql, PackageResources.gates_sql, PackageResources.results_sql,
        PackageResources.deliveries_sql, PackageResources.sessions_sql,
        PackageResources.events_sql,
        PackageResources.budgets_sql,
        PackageResources.endpoints_sql,
        PackageResources.lanes_sql, PackageResources.claim_sql, PackageResources.flights_sql,
        PackageResources.parts_sql,
        PackageResources.finish_sql, PackageResources.history_sql, PackageResources.hooks_sql,
        PackageResources.learned_sql, PackageResources.again_sql,
        PackageResources.origins_sql, PackageResources.progress_sql, PackageResources.release_sql,
        PackageResources.replicas_sql,
    ].map { String(decoding: $0, as: UTF8.self) }

    /// Drops all functions of Lull, so that none stays that no longer has a text.
    static let dropFunctions = """
        DO $$ DECLARE name text; BEGIN
            FOR name IN SELECT p.oid::regprocedure::text FROM pg_proc p
                WHERE p.pronamespace = current_schema()::regnamespace AND p.proname LIKE 'lull\\_%'
            LOOP EXECUTE 'DROP FUNCTION ' || name; END LOOP;
        END $$;
        """

    static func checksum(of text: String) -> String {
        String(StableHash.of(text), radix: 16)
    }
}
