// The text of the schema, compiled in: numbered files of tables, and the current functions.
internal import Core

/// The files of `migrations/`.
package enum Schema {
    /// One numbered file: tables and indexes, and what changes them.
    package struct Migration: Sendable {
        /// Its number, from 1 up.
        package let number: Int
        /// Its file's name.
        package let name: String
        /// Its text; it makes no function.
        package let sql: String

        /// The digest of the text.
        package var checksum: String { Schema.checksum(of: sql) }
    }

    /// The numbered files, in order.
    ///
    /// One that a release contained is never changed again.
    package static let migrations: [Migration] = [
        Migration(
            number: 1, name: "0001_schema.sql",
            sql: String(decoding: PackageResources._001_schema_sql, as: UTF8.self)),
        Migration(
            number: 2, name: "0002_lanes.sql",
            sql: String(decoding: PackageResources._002_lanes_sql, as: UTF8.self)),
        Migration(
            number: 3, name: "0003_receivers.sql",
            sql: String(decoding: PackageResources._003_receivers_sql, as: UTF8.self)),
        Migration(
            number: 4, name: "0004_conditions.sql",
            sql: String(decoding: PackageResources._004_conditions_sql, as: UTF8.self)),
        Migration(
            number: 5, name: "0005_replicas.sql",
            sql: String(decoding: PackageResources._005_replicas_sql, as: UTF8.self)),
        Migration(
            number: 6, name: "0006_deadlines.sql",
            sql: String(decoding: PackageResources._006_deadlines_sql, as: UTF8.self)),
        Migration(
            number: 7, name: "0007_learned.sql",
            sql: String(decoding: PackageResources._007_learned_sql, as: UTF8.self)),
        Migration(
            number: 8, name: "0008_budgets.sql",
            sql: String(decoding: PackageResources._008_budgets_sql, as: UTF8.self)),
        Migration(
            number: 9, name: "0009_readings.sql",
            sql: String(decoding: PackageResources._009_readings_sql, as: UTF8.self)),
        Migration(
            number: 10, name: "0010_origins.sql",
            sql: String(decoding: PackageResources._010_origins_sql, as: UTF8.self)),
        Migration(
            number: 11, name: "0011_endpoints.sql",
            sql: String(decoding: PackageResources._011_endpoints_sql, as: UTF8.self)),
        Migration(
            number: 12, name: "0012_repair.sql",
            sql: String(decoding: PackageResources._012_repair_sql, as: UTF8.self)),
        Migration(
            number: 13, name: "0013_sessions.sql",
            sql: String(decoding: PackageResources._013_sessions_sql, as: UTF8.self)),
        Migration(
            number: 14, name: "0014_lane_key.sql",
            sql: String(decoding: PackageResources._014_lane_key_sql, as: UTF8.self)),
        Migration(
            number: 15, name: "0015_connectivity.sql",
            sql: String(decoding: PackageResources._015_connectivity_sql, as: UTF8.self)),
        Migration(
            number: 16, name: "0016_flights.sql",
            sql: String(decoding: PackageResources._016_flights_sql, as: UTF8.self)),
        Migration(
            number: 17, name: "0017_hooks.sql",
            sql: String(decoding: PackageResources._017_hooks_sql, as: UTF8.self)),
        Migration(
            number: 18, name: "0018_results.sql",
            sql: String(decoding: PackageResources._018_results_sql, as: UTF8.self)),
        Migration(
            number: 19, name: "0019_keys.sql",
            sql: String(decoding: PackageResources._019_keys_sql, as: UTF8.self)),
        Migration(
            number: 20, name: "0020_origin_gates.sql",
            sql: String(decoding: PackageResources._020_origin_gates_sql, as: UTF8.self)),
        Migration(
            number: 21, name: "0021_suspensions.sql",
            sql: String(decoding: PackageResources._021_suspensions_sql, as: UTF8.self)),
        Migration(
            number: 24, name: "0024_missing.sql",
            sql: String(decoding: PackageResources._024_missing_sql, as: UTF8.self)),
        Migration(
            number: 26, name: "0026_pushbacks.sql",
            sql: String(decoding: PackageResources._026_pushbacks_sql, as: UTF8.self)),
        Migration(
            number: 27, name: "0027_replaced_secrets.sql",
            sql: String(decoding: PackageResources._027_replaced_secrets_sql, as: UTF8.self)),
        Migration(
            number: 28, name: "0028_clock.sql",
            sql: String(decoding: PackageResources._028_clock_sql, as: UTF8.self)),
        Migration(
            number: 30, name: "0030_lane_changes.sql",
            sql: String(decoding: PackageResources._030_lane_changes_sql, as: UTF8.self)),
        Migration(
            number: 31, name: "0031_named_wakes.sql",
            sql: String(decoding: PackageResources._031_named_wakes_sql, as: UTF8.self)),
        Migration(
            number: 32, name: "0032_kept_parts.sql",
            sql: String(decoding: PackageResources._032_kept_parts_sql, as: UTF8.self)),
        Migration(
            number: 33, name: "0033_endpoint_requests.sql",
            sql: String(decoding: PackageResources._033_endpoint_requests_sql, as: UTF8.self)),
    ]

    /// The files of `migrations/functions/`: one current text of each function of the database.
    package static let functions: [String] = [
        // First what others call.
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

    /// Removes every function of ours, so that none stays that has no text any more.
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
