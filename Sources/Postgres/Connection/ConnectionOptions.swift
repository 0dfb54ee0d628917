// How a connection behaves.

/// Settings of every connection; times in milliseconds, 0 switches a limit off.
package struct ConnectionOptions: Sendable {
    /// The name in pg_stat_activity, unless the URL gives one.
    package var applicationName = "lull"
    /// How long opening may take, per address, in seconds; a URL may ask for less.
    package var connectTimeoutSeconds = 5
    /// How long this side waits for the answer of one call; then it gives the connection up.
    package var callTimeoutMilliseconds = 35_000
    /// How long one statement may run.
    package var statementTimeoutMilliseconds = 30_000
    /// How long a transaction may wait for its next statement.
    package var idleInTransactionTimeoutMilliseconds = 30_000
    /// How long a statement may wait for a lock.
    package var lockTimeoutMilliseconds = 10_000
    /// Whether statements are prepared once a connection; false for a PgBouncer in transaction
    /// mode without `max_prepared_statements`.
    package var preparesStatements = true
    /// How many statements stay prepared on a connection.
    package var preparedStatementsMax = 256
    /// Whether each statement has one plan for all values of its parameters, of nested loops over
    /// indexes; for sessions whose statements look rows up by key.
    ///
    /// PostgreSQL would make a plan for each call where an array of one value is cheaper than one
    /// of unknown length.
    package var reusesPlans = false
    /// Whether limits are set in each transaction and not for the session, so that nothing leaks
    /// to others through a PgBouncer in transaction mode.
    package var keepsSettingsInTransactions = false

    /// The defaults.
    package init() {}

    /// Bounds for a caller that waits so long for an answer: the server's are shorter, so that it
    /// ends a statement first, with a reason, and a silent link is noticed by this side.
    package init(timeout: Duration) {
        let milliseconds = Int(timeout / .milliseconds(1))
        precondition(milliseconds > 0, "no answer comes in no time")
        callTimeoutMilliseconds = milliseconds
        statementTimeoutMilliseconds = max(1, milliseconds * 9 / 10)
        idleInTransactionTimeoutMilliseconds = milliseconds
        lockTimeoutMilliseconds = max(1, milliseconds / 2)
        connectTimeoutSeconds = max(1, min(5, milliseconds / 1000))
    }

    /// Adapts to a PgBouncer in transaction mode, which may give each transaction another session:
    /// nothing is prepared, and nothing is set beyond a transaction.
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

    /// The settings as one statement that holds until the end of its transaction, also of an
    /// implicit one.
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

    /// The settings that hold for a session or for a transaction.
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
