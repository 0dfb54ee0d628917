// The values of the settings, and values derived from them.
internal import API
internal import Base
internal import Downloads
internal import Glibc
internal import HTTPServer
internal import Platform
internal import Postgres
internal import Scheduling
internal import Worker

/// All settings of the operator, parsed and checked: `configuration.lease` is the value of
/// `SettingTable.lease`.
@dynamicMemberLookup
struct Configuration: Sendable {
    private static let table = SettingTable()
    private var values: [String: any Sendable]

    /// Parses every setting, then checks the ones that depend on each other.
    ///
    /// - Throws: `ConfigurationError`, which names the setting and what it may be.
    init(_ texts: SettingValues) throws(ConfigurationError) {
        var values: [String: any Sendable] = [:]
        for setting in SettingTable.all {
            values[setting.name] = try setting.anyValue(of: texts.given(setting.name))
        }
        self.values = values
        guard self.retryCap >= self.retryBase else {
            throw ConfigurationError("LULL_RETRY_CAP: must not be shorter than LULL_RETRY_BASE")
        }
        let bound = self.lease - WorkerSettings.margin(of: self.lease)
        guard self.databaseTimeout < bound else {
            throw ConfigurationError(
                "LULL_DATABASE_TIMEOUT: must be less than five sixths of LULL_LEASE, "
                    + DurationText.print(bound))
        }
        guard (self.smtpURL == nil) == (self.smtpFrom == nil) else {
            throw ConfigurationError(
                "LULL_SMTP_URL and LULL_SMTP_FROM: set both to send mail, or neither")
        }
        guard needsKeys || listensLocally else {
            throw ConfigurationError(
                "LULL_AUTH: none is accepted only if every address in LULL_LISTEN is on loopback "
                    + "or a Unix socket; set keys, and make a key with lull keys create")
        }
    }

    /// These values, with the live settings taken from other values.
    func takingLive(of fresh: Configuration) -> Configuration {
        var taken = self
        for setting in SettingTable.all where setting.isLive {
            taken.values[setting.name] = fresh.values[setting.name]
        }
        return taken
    }

    /// The value of a setting.
    subscript<Value>(dynamicMember setting: KeyPath<SettingTable, Setting<Value>>) -> Value {
        let name = Configuration.table[keyPath: setting].name
        guard let stored = values[name], let value = stored as? Value else {
            preconditionFailure("\(name) was read at the start, as its type")
        }
        return value
    }
}

extension Configuration {
    /// Whether requests need a key.
    var needsKeys: Bool { self.auth.map { $0 == "keys" } ?? !(listensLocally && isUsedLocally) }

    /// The rule for `Host` and `Origin`.
    var hosts: HostPolicy { needsKeys ? .any : .loopbackOnly(takesForwarded: self.auth != nil) }

    /// Whether the URL that clients use, where it is given, names this machine.
    private var isUsedLocally: Bool {
        self.publicURL.map { HostPolicy.isLoopback($0.authority) } ?? true
    }

    private var listensLocally: Bool { self.listen.allSatisfy(\.isLocal) }

    /// The files of encryption keys; empty if the key in the data directory is used.
    var encryptionKeyFiles: [String] { self.encryptionKeyFile ?? [] }

    /// The settings of database connections.
    var connectionOptions: ConnectionOptions {
        var options = ConnectionOptions(timeout: self.databaseTimeout)
        if isPooled { options.adaptToTransactionPooling() }
        return options
    }

    /// Whether a database session is shared with other clients between transactions.
    var isPooled: Bool { self.databasePooler == "transaction" && self.databaseURL != nil }

    /// The limits that hold if the policy sets none.
    var limits: PolicyLimits {
        PolicyLimits(perReplica: self.maxRunning, perOrigin: self.maxRunningPerOrigin)
    }

    /// The waits between the attempts of a download.
    var retries: RetrySchedule {
        RetrySchedule(base: self.retryBase, cap: self.retryCap, maximumAttempts: self.maxAttempts)
    }

    /// The rate below which an attempt ends; nil for none.
    var lowSpeed: LowSpeed? {
        self.lowSpeedLimit > 0
            ? LowSpeed(bytesPerSecond: self.lowSpeedLimit, window: self.lowSpeedTime) : nil
    }

    /// The defaults of values that neither a download nor its session sets.
    var defaults: DeploymentDefaults {
        var defaults = DeploymentDefaults(
            requestTimeout: self.requestTimeout, resourceTimeout: self.resourceTimeout,
            contentRetention: self.contentRetention, segments: Int64(self.segments))
        defaults.retryRuleAttempts = Int64(self.retryRuleAttempts)
        defaults.retryRuleSeconds = self.retryRuleTime
        return defaults
    }

    /// The time for which ended downloads are kept; nil without end.
    var historyKept: Duration? { self.historyRetention > .zero ? self.historyRetention : nil }

    /// The rule for disabling webhook endpoints.
    var disabling: DisableRule {
        DisableRule(
            after: self.webhookDisableAfter, failures: self.webhookDisableFailures,
            spread: self.webhookDisableSpread)
    }

    /// The settings for waking sessions.
    var wakes: WakeSettings {
        WakeSettings(
            delay: self.wakeDelay, cap: self.wakeDelayCap, timeout: self.wakeTimeout)
    }

    /// The waits between the attempts of a webhook.
    var deliveries: DeliverySchedule { DeliverySchedule(waits: self.webhookRetrySchedule) }

    /// The limits of the HTTP server.
    ///
    /// - Parameter openFiles: how many files this process may have open.
    /// - Returns: the bounds; clients leave at most a quarter of those files.
    func server(openFiles: Int) -> ServerLimits {
        ServerLimits(
            connections: self.maxConnections,
            descriptors: openFiles - min(filesBesideClients, openFiles / 4),
            connectionsPerAddress: self.connectionsPerAddress)
    }

    /// The most files and sockets that are open if clients use all their connections.
    var files: Int { self.maxConnections + filesBesideClients }

    /// The files and sockets of downloads, of webhooks, and of connections that are kept for both;
    /// the database and the process itself need fewer than a hundred.
    private var filesBesideClients: Int { 1_024 + 3 * self.maxRunning }

    /// Whether the log is JSON.
    var logsJSON: Bool {
        self.logFormat == "json" || self.logFormat == "auto" && isatty(STDERR_FILENO) == 0
    }

    /// The longest time of an orderly stop.
    var grace: Duration { self.shutdownGrace }
}

extension ListenAddress {
    /// Whether only this machine can reach the address.
    var isLocal: Bool {
        let text = description
        return text.hasPrefix("unix:") || text.hasPrefix("127.") || text.hasPrefix("[::1]:")
            || text.hasPrefix("localhost:")
    }
}
