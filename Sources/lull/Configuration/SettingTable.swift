// Every setting, in the order of help and of docs/settings.md.
internal import Core
internal import HTTPServer
internal import Platform

/// The settings; a new one is a line here, the place that uses it, docs/settings.md and a test.
///
/// `Configuration` has their values under the same names.
struct SettingTable: Sendable {
    let configFile = Setting(
        "LULL_CONFIG_FILE",
        "file of lines NAME=VALUE, which count where the environment has nothing; read again at "
            + "SIGHUP", .text)
    let listen = Setting(
        "LULL_LISTEN", "127.0.0.1:8080",
        "addresses to serve, separated by commas: HOST:PORT, [IPv6]:PORT or unix:/PATH",
        .listenAddresses)
    let databaseURL = Setting(
        "LULL_DATABASE_URL", isSecret: true,
        "PostgreSQL 15 or later; unset: a private server in the data directory", .text)
    let databaseDirectURL = Setting(
        "LULL_DATABASE_DIRECT_URL", isSecret: true,
        "the same database without a pooler between, for LISTEN alone; unset: LULL_DATABASE_URL, "
            + "or with a pooler a look every second", .text)
    let databasePooler = Setting(
        "LULL_DATABASE_POOLER", "none",
        "transaction if LULL_DATABASE_URL leads to a PgBouncer in transaction mode, else none",
        .choice(["none", "transaction"]))
    let databaseTimeout = Setting(
        "LULL_DATABASE_TIMEOUT", "10s",
        "longest time of one database call; less than five sixths of LULL_LEASE",
        .duration(atLeast: .milliseconds(100)))
    let dataDirectory = Setting(
        "LULL_DATA_DIR", "./.lull", "directory of the files and of the private server", .text)
    let auth = Setting(
        "LULL_AUTH",
        "keys, or none; unset: none if all listen on loopback or a Unix socket, else keys",
        .choice(["keys", "none"]))
    let metricsAuth = Setting(
        "LULL_METRICS_AUTH", "off",
        "on: GET /metrics needs a key with the scope admin, where keys are needed, and names apps",
        .choice(["on", "off"]))
    let downloadDestinations = Setting(
        "LULL_DOWNLOAD_DESTINATIONS", "public",
        "where downloads may come from: public, private, loopback, CIDRs, host globs",
        .destinations, isLive: true)
    let webhookDestinations = Setting(
        "LULL_WEBHOOK_DESTINATIONS", "public", "where webhooks may go, the same words",
        .destinations, isLive: true)
    let proxyDestinations = Setting(
        "LULL_PROXY_DESTINATIONS",
        "where proxies of downloads may be, the same words; unset: no proxies", .destinations,
        isLive: true)
    let destinations = Setting(
        "LULL_DESTINATIONS",
        "folders into which downloads may have their files placed: name=/folder, or "
            + "name@app=/folder for one app, with commas between; with ;copy behind a folder they "
            + "are copied there in any case; unset: none", .folders)
    let encryptionKeyFile = Setting(
        "LULL_ENCRYPTION_KEY_FILE",
        "files of 32 bytes, base64 or hex: the first seals credentials, all open them; unset: a "
            + "file in the data directory", .list, isLive: true)
    let certificateFile = Setting(
        "LULL_CA_FILE",
        "PEM file of the authorities that sign the certificates of origins and webhooks; unset: "
            + "the system's", .text, isLive: true)
    let maxRunning = Setting(
        "LULL_MAX_RUNNING", "64", "downloads at once in this process", .integer(in: 1...10_000),
        isLive: true)
    let maxRunningPerOrigin = Setting(
        "LULL_MAX_RUNNING_PER_ORIGIN", "6", "downloads at once from one origin, over all replicas",
        .integer(in: 1...10_000), isLive: true)
    let bandwidth = Setting(
        "LULL_BANDWIDTH", "off",
        "bytes a second over all replicas, or a timetable, where the policy has no bandwidth",
        .timetable, isLive: true)
    let retryBase = Setting(
        "LULL_RETRY_BASE", "30s", "upper bound of the first wait after a failure",
        .duration(atLeast: .milliseconds(1)))
    let retryCap = Setting(
        "LULL_RETRY_CAP", "5h", "upper bound of every wait after a failure",
        .duration(atLeast: .milliseconds(1)))
    let maxAttempts = Setting(
        "LULL_MAX_ATTEMPTS", "8", "attempts without progress before a download fails",
        .integer(in: 1...1000))
    let retryRuleAttempts = Setting(
        "LULL_RETRY_RULE_ATTEMPTS", "100", "the most attempts of a retry rule of a client",
        .integer(in: 1...1_000_000))
    let retryRuleTime = Setting(
        "LULL_RETRY_RULE_TIME", "7d", "the longest for_seconds of a retry rule of a client",
        .seconds)
    let requestTimeout = Setting(
        "LULL_TIMEOUT_INTERVAL_FOR_REQUEST", "60s", "time without a byte that ends an attempt",
        .seconds)
    let lowSpeedLimit = Setting(
        "LULL_LOW_SPEED_LIMIT", "100",
        "bytes a second below which an attempt ends, time paused by Lull not counted; 0: none",
        .bytes)
    let lowSpeedTime = Setting(
        "LULL_LOW_SPEED_TIME", "5m",
        "time over which they are averaged; at least the time without a byte",
        .duration(atLeast: .seconds(1)))
    let resourceTimeout = Setting(
        "LULL_TIMEOUT_INTERVAL_FOR_RESOURCE", "7d",
        "time from its earliest begin after which a download fails", .seconds)
    let minimumFree = Setting(
        "LULL_MIN_FREE_BYTES",
        "bytes that stay free on the volume of LULL_DATA_DIR; unset: 5 % of it, at least 1GiB, at "
            + "most 50GiB, never more than a tenth", .bytes)
    let contentRetention = Setting(
        "LULL_CONTENT_RETENTION", "7d", "how long the file of a finished download is kept",
        .seconds)
    let historyRetention = Setting(
        "LULL_HISTORY_RETENTION", "30d",
        "how long downloads that ended are kept without their files, with attempts, webhooks and "
            + "events; at least 1h; off: for ever",
        .durationOrOff(atLeast: .seconds(3600)))
    let segments = Setting(
        "LULL_SEGMENTS", "1", "streams at once for a large file, 1 to 8, unless a download sets it",
        .integer(in: 1...8))
    let progressInterval = Setting(
        "LULL_PROGRESS_INTERVAL", "1s",
        "time between two progress events for open streams and long polls",
        .duration(atLeast: .milliseconds(100)))
    let lease = Setting(
        "LULL_LEASE", "30s", "time without a heartbeat after which others take over the work",
        .duration(atLeast: .seconds(3)))
    let publicURL = Setting(
        "LULL_PUBLIC_URL",
        "http or https URL at which clients reach this service, without a path: begins href and "
            + "ce-source in events; unset: both are paths", .publicURL)
    let advertise = Setting(
        "LULL_ADVERTISE",
        "HOST:PORT at which other replicas reach this one for content; unset: the first TCP "
            + "address of LULL_LISTEN, with the machine's name for one that means all", .advertise)
    let traceOrigins = Setting(
        "LULL_TRACE_ORIGINS", "off",
        "on: origins get the traceparent that a create came with, as receivers of webhooks do",
        .choice(["on", "off"]))
    let replicaGoneAfter = Setting(
        "LULL_REPLICA_GONE_AFTER", "24h",
        "time without a replica on a data directory after which its content counts as lost",
        .duration(atLeast: .seconds(1)))
    let clockSteady = Setting(
        "LULL_CLOCK_STEADY", "10m",
        "time for which the database's clock has to be steady, after it moved by more than an hour "
            + "against the machine's, before anything ends by it: retentions, "
            + "LULL_REPLICA_GONE_AFTER, LULL_QUARANTINE, resource timeouts",
        .duration(atLeast: .seconds(1)))
    let quarantine = Setting(
        "LULL_QUARANTINE", "24h",
        "how long files rest in content/quarantine that no download names any more, before they "
            + "are removed; earlier where room is needed; 0 removes them at once",
        .duration(atLeast: .zero))
    let webhookSecret = Setting(
        "LULL_WEBHOOK_SECRET", isSecret: true,
        "whsec_ and base64 of 24 to 64 bytes: signs what goes to a webhook_url, for apps that have "
            + "no secret of their own; unset: each app gets one", .text)
    let webhookSecretOverlap = Setting(
        "LULL_WEBHOOK_SECRET_OVERLAP", "24h",
        "how long a secret that was replaced signs beside the new one",
        .duration(atLeast: .milliseconds(1)))
    let webhookDisableAfter = Setting(
        "LULL_WEBHOOK_DISABLE_AFTER", "120h",
        "time without a 2xx after which an endpoint is disabled",
        .duration(atLeast: .milliseconds(1)))
    let webhookDisableFailures = Setting(
        "LULL_WEBHOOK_DISABLE_FAILURES", "10", "and tries that failed meanwhile, at least",
        .integer(in: 1...1_000_000))
    let webhookDisableSpread = Setting(
        "LULL_WEBHOOK_DISABLE_SPREAD", "12h",
        "and the time between the first and the last of them, at least", .duration(atLeast: .zero))
    let deliveryRetention = Setting(
        "LULL_DELIVERY_RETENTION", "7d",
        "how long deliveries of webhooks that ended are kept, with what came of each try",
        .duration(atLeast: .seconds(1)))
    let webhookRetrySchedule = Setting(
        "LULL_WEBHOOK_RETRY_SCHEDULE", "5s,5m,30m,2h,5h,10h,14h,20h,24h",
        "waits between the attempts to deliver a webhook", .durations(countAtMost: 32))
    let webhookTimeout = Setting(
        "LULL_WEBHOOK_TIMEOUT", "15s", "time for one attempt to deliver a webhook",
        .duration(atLeast: .milliseconds(100)))
    let wakeDelay = Setting(
        "LULL_WAKE_DELAY", "60s",
        "how long after a wake a download begins that is created in the background; doubles with "
            + "each wake, 0s for no delay", .duration(atLeast: .zero))
    let wakeDelayCap = Setting(
        "LULL_WAKE_DELAY_CAP", "1h", "the longest such delay", .duration(atLeast: .zero))
    let wakeTimeout = Setting(
        "LULL_WAKE_TIMEOUT", "10s",
        "how long a wake that was answered is open before it is sent again",
        .duration(atLeast: .milliseconds(100)))
    let webhookProgressInterval = Setting(
        "LULL_WEBHOOK_PROGRESS_INTERVAL", "5s",
        "shortest time between two progress events of a download",
        .duration(atLeast: .milliseconds(100)))
    let maxConnections = Setting(
        "LULL_MAX_CONNECTIONS", "8192", "clients connected at once; others wait",
        .integer(in: 1...1_000_000))
    let connectionsPerAddress = Setting(
        "LULL_CONNECTIONS_PER_ADDRESS", "2048",
        "clients connected at once from one address (IPv6: /64); others are disconnected",
        .integer(in: 1...1_000_000))
    let lanes = Setting(
        "LULL_LANES",
        "threads that serve HTTP, 1 to \(Server.lanesAtMost); unset: half of the processors, "
            + "1 to 8",
        .integer(in: 1...Server.lanesAtMost))
    let logFormat = Setting(
        "LULL_LOG_FORMAT", "json", "json or text, on standard error", .choice(["json", "text"]),
        isLive: true)
    let logLevel = Setting(
        "LULL_LOG_LEVEL", "info", "debug, info, warn or error", .logLevel, isLive: true)
    let shutdownGrace = Setting(
        "LULL_SHUTDOWN_GRACE", "20s", "time for an orderly stop", .duration(atLeast: .zero))

    /// All of them; the properties above are the list.
    static let all: [any AnySetting] = Mirror(reflecting: SettingTable()).children.map {
        guard let setting = $0.value as? any AnySetting else {
            preconditionFailure("the table has settings only")
        }
        return setting
    }
}
