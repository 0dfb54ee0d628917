// The settings of a connection.

/// The settings of a connection; times are in milliseconds, and 0 switches a limit off.
package struct ConnectionOptions: Sendable {
    /// The name in pg_stat_activity, unless the URL sets one.
    package var applicationName = "lull"
    /// The longest time to open a connection, per address, in seconds; a URL may ask for less.
    package var connectTimeoutSeconds = 5
    /// The longest time to wait for the answer to one call, after which this side closes the
    /// connection.
    package var callTimeoutMilliseconds = 35_000
    /// The longest time of one statement.
    package var statementTimeoutMilliseconds = 30_000
    /// The longest time that a transaction may wait for its next statement.
    package var idleInTransactionTimeoutMilliseconds = 30_000
    /// The longest time that a statement may wait for a lock.
    package var lockTimeoutMilliseconds = 10_000
    /// Whether each connection prepares its statements once; false for a PgBouncer in transaction
    /// mode without `max_prepared_statements`.
    package var preparesStatements = true
    /// The most statements that stay prepared on a connection.
    package var preparedStatementsMax = 256
    /// Whether each statement has one plan for all values of its parameters, with nested loops over
    /// indexes; for sessions whose statements look rows up by key.
    ///
    /// Without it PostgreSQL makes a plan for each call if it expects an array of one value to be
    /// cheaper than an array of unknown length.
    package var reusesPlans = false
    /// Whether limits are set in each transaction instead of once for the session, so that they do
    /// not leak to other clients of a PgBouncer in transaction mode.
    package var keepsSettingsInTransactions = false

    /// Creates the defaults.
    package init() {}

    /// Creates limits for a caller that waits this long for an answer: the server's are shorter, so
    /// that the server ends a statement first, with a reason, and only a silent link runs into this
    /// side's limit.
    package init(timeout: Duration) {
        let milliseconds = Int(timeout / .milliseconds(1))
        precondition(milliseconds > 0, "no answer comes in no time")
        callTimeoutMilliseconds = milliseconds
        statementTimeoutMilliseconds = max(1, milliseconds * 9 / 10)
        idleInTransactionTimeoutMilliseconds = milliseconds
        lockTimeoutMilliseconds = max(1, milliseconds / 2)
        connectTimeoutSeconds = max(1, min(5, milliseconds / 1000))
    }

    /// Adapts the settings to a PgBouncer in transaction mode, which may give each transaction
    /// another session: nothing is prepared, and nothing is set beyond a transaction.
    package mutating func adaptToTransactionPooling() {
        preparesStatements = false
        keepsSettingsInTransactions = true
        reusesPlans = false
    }

    /// A plan must not depend on how small a table was when it was made.
    private static let planSettings = [
        "plan_cache_mode = force_generic_plan", "enable_seqscan = off", "enable_hashjoin = off",
        "enable_mergejoin = off", "enable_material = off",
    ]

    /// The SQL that sets all settings until the end of its transaction, even an implicit one.
    var settingsOfTransaction: String {
        let values = [
            ("statement_timeout", "\(statementTimeoutMilliseconds)"),
            ("idle_in_transaction_session_timeout", "\(idleInTransactionTimeoutMilliseconds)"),
            ("lock_timeout", "\(lockTimeoutMilliseconds)"), ("jit", "off"), ("TimeZone", "UTC"),
            ("client_min_messages", "warning"),
        ]
        let calls = values.map { "set_config('\($0.0)', '\($0.1)', true)" }
        return "SELECT " + calls.joined(separator: ", ")
    }

    /// The settings of a session or of a transaction.
    func settings(local: Bool) -> String {
        let verb = local ? "SET LOCAL" : "SET"
        let plans =
            reusesPlans ? ConnectionOptions.planSettings.map { "\(verb) \($0);" }.joined() : ""
        return """
            \(plans)
            \(verb) statement_timeout = \(statementTimeoutMilliseconds);
            \(verb) idle_in_transaction_session_timeout = \(idleInTransactionTimeoutMilliseconds);
            \(verb) lock_timeout = \(lockTimeoutMilliseconds);
            \(verb) jit = off;
            \(verb) TimeZone = 'UTC';
            \(verb) client_min_messages = warning;
            """
    }
}
