// The text of the schema, compiled in: numbered files of tables, and the current functions.
internal import Base
internal import Embedded

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
            sql: EmbeddedFiles.text("migrations/0001_schema.sql"))
    ]

    /// The files of `migrations/functions/`: the one current text of each function of the database.
    package static let functions: [String] = [
        // Functions that others call come first.
        "codes", "gates", "results", "deliveries", "sessions", "events", "budgets", "endpoints",
        "lanes", "claim", "flights", "parts", "finish", "history", "hooks", "learned", "again",
        "origins", "progress", "release", "replicas", "clients",
    ].map { EmbeddedFiles.text("migrations/functions/\($0).sql") }

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
