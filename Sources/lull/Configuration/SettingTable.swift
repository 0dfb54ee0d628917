// All settings, in the order of help and of docs/settings.md.
internal import API
internal import HTTPServer
internal import Platform

/// The settings of the program; a new one needs a line here, a place that uses it, a line in
/// docs/settings.md and a test.
///
/// `Configuration` has the values under the same names.
struct SettingTable: Sendable {
    let configFile = Setting(
        "LULL_CONFIG_FILE",
        "file of lines NAME=VALUE, for settings that are not in the environment; read again at "
            + "SIGHUP", .text)
    let listen = Setting(
        "LULL_LISTEN", "127.0.0.1:8080",
        "addresses to serve, separated by commas: HOST:PORT, [IPv6]:PORT or unix:/PATH",
        .listenAddresses)
    let databaseURL = Setting(
        "LULL_DATABASE_URL", isSecret: true,
        "URL of a PostgreSQL 15 or later; unset: a private server in the data directory", .text)
    let databaseDirectURL = Setting(
        "LULL_DATABASE_DIRECT_URL", isSecret: true,
        "URL of the database without the pooler, for LISTEN; unset: LULL_DATABASE_URL, or with a "
            + "pooler a query every second", .text)
    let databasePooler = Setting(
        "LULL_DATABASE_POOLER", "none",
        "transaction if LULL_DATABASE_URL is a PgBouncer in transaction mode, else none",
        .choice(["none", "transaction"]))
    let databaseTimeout = Setting(
        "LULL_DATABASE_TIMEOUT", "10s",
        "longest time of a database call; less than five sixths of LULL_LEASE",
        .duration(atLeast: .milliseconds(100)))
    let dataDirectory = Setting(
        "LULL_DATA_DIR", "./.lull",
        "directory of the downloaded files and of the private server",
        .text)
    let auth = Setting(
        "LULL_AUTH",
        "keys (requests need one) or none; unset: none if all addresses are on loopback or Unix "
            + "sockets and LULL_PUBLIC_URL names no other machine, else keys",
        .choice(["keys", "none"]))
    let metricsAuth = Setting(
        "LULL_METRICS_AUTH", "off",
        "on: GET /metrics names apps, and needs a key with the scope admin if LULL_AUTH is keys",
        .choice(["on", "off"]))
    let page = Setting(
        "LULL_UI", "on",
        "on: a page for people in a browser is below /ui/, and a browser that asks for / is sent "
            + "there; off: there is none", .choice(["on", "off"]))
    let downloadDestinations = Setting(
        "LULL_DOWNLOAD_DESTINATIONS", "public",
        "where downloads may come from: public, private, loopback, CIDRs, host patterns",
        .destinations, isLive: true)
    let webhookDestinations = Setting(
        "LULL_WEBHOOK_DESTINATIONS", "public", "where webhooks may go, in the same form",
        .destinations, isLive: true)
    let uploadDestinations = Setting(
        "LULL_UPLOAD_DESTINATIONS", "public",
        "where finished files may be sent, in the same form", .destinations, isLive: true)
    let proxyDestinations = Setting(
        "LULL_PROXY_DESTINATIONS",
        "where proxies of downloads may be, in the same form; unset: no proxies", .destinations,
        isLive: true)
    let destinations = Setting(
        "LULL_DESTINATIONS",
        "folders and object stores into which downloads may place their files: name=/folder for "
            + "all apps, name@app=/folder for one, separated by commas; with ;copy after a folder, "
            + "files are copied and never linked; a store is "
            + "name=s3://bucket/prefix?endpoint=https://host, with public_endpoint, region, "
            + "addressing (path, virtual), checksum (sha256, crc64nvme, none), profile and "
            + "credentials_file behind &, values percent-encoded; unset: none", .places)
    let encryptionKeyFile = Setting(
        "LULL_ENCRYPTION_KEY_FILE",
        "files with a key of 32 bytes, raw, base64 or hex, separated by commas: the first encrypts "
            + "credentials, all decrypt them; unset: a file in the data "
            + "directory", .list, isLive: true)
    let certificateFile = Setting(
        "LULL_CA_FILE",
        "PEM file of the authorities that are trusted for origins and webhooks; unset: those of "
            + "the system", .text, isLive: true)
    let maxRunning = Setting(
        "LULL_MAX_RUNNING", "64",
        "most downloads at once in this process",
        .integer(in: 1...10_000),
        isLive: true)
    let maxRunningPerOrigin = Setting(
        "LULL_MAX_RUNNING_PER_ORIGIN", "6",
        "most downloads at once from one origin, over all replicas",
        .integer(in: 1...10_000), isLive: true)
    let bandwidth = Setting(
        "LULL_BANDWIDTH", "off",
        "bytes a second over all replicas, or a timetable, if the policy has no bandwidth",
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
        "LULL_RETRY_RULE_ATTEMPTS", "100", "most attempts that retry of a client may ask for",
        .integer(in: 1...1_000_000))
    let retryRuleTime = Setting(
        "LULL_RETRY_RULE_TIME", "7d", "longest for_seconds that retry of a client may ask for",
        .seconds)
    let requestTimeout = Setting(
        "LULL_TIMEOUT_INTERVAL_FOR_REQUEST", "60s",
        "time without a received byte after which an attempt ends",
        .seconds)
    let lowSpeedLimit = Setting(
        "LULL_LOW_SPEED_LIMIT", "100",
        "bytes a second: a slower attempt ends after LULL_LOW_SPEED_TIME and is repeated; pauses "
            + "by Lull's own limits do not count; 0: no limit",
        .bytes)
    let lowSpeedTime = Setting(
        "LULL_LOW_SPEED_TIME", "5m",
        "time over which LULL_LOW_SPEED_LIMIT averages the speed; at least the request timeout",
        .duration(atLeast: .seconds(1)))
    let resourceTimeout = Setting(
        "LULL_TIMEOUT_INTERVAL_FOR_RESOURCE", "7d",
        "time after its earliest begin at which a download fails", .seconds)
    let minimumFree = Setting(
        "LULL_MIN_FREE_BYTES",
        "bytes that downloads leave free on the volume of LULL_DATA_DIR; unset: 5 % of it, at "
            + "least 1GiB, at most 50GiB, never more than a tenth", .bytes)
    let uploadMaximum = Setting(
        "LULL_UPLOAD_MAX", "5TiB", "most bytes of one upload", .bytes)
    let contentRetention = Setting(
        "LULL_CONTENT_RETENTION", "7d", "how long the file of a finished download is kept",
        .seconds)
    let historyRetention = Setting(
        "LULL_HISTORY_RETENTION", "30d",
        "how long an ended download is kept with its attempts, webhooks and events, but without "
            + "its file; at least 1h; off: for ever",
        .durationOrOff(atLeast: .seconds(3600)))
    let segments = Setting(
        "LULL_SEGMENTS", "1",
        "streams at once for a large file, 1 to 8, unless the download has segments",
        .integer(in: 1...8))
    let progressInterval = Setting(
        "LULL_PROGRESS_INTERVAL", "1s",
        "time between two events download.progress in open streams and long polls",
        .duration(atLeast: .milliseconds(100)))
    let sourceMinInterval = Setting(
        "LULL_SOURCE_MIN_INTERVAL", "30s",
        "least interval between two looks of a source; looks that triggers ask for keep it, too; "
            + "whole seconds", .seconds)
    let lease = Setting(
        "LULL_LEASE", "30s", "time without a heartbeat after which others take over the work",
        .duration(atLeast: .seconds(3)))
    let publicURL = Setting(
        "LULL_PUBLIC_URL",
        "http or https URL at which clients reach this service, with a path if a proxy takes one "
            + "away: href and ce-source in events and links to content begin with it, Location and "
            + "Link with its path; unset: they are paths", .publicURL)
    let corsOrigins = Setting(
        "LULL_CORS_ORIGINS",
        "web pages of other sites that may use the API, as exact origins such as "
            + "https://app.example, separated by commas; they send a key as other clients do; "
            + "unset: none", .origins)
    let advertise = Setting(
        "LULL_ADVERTISE",
        "HOST:PORT at which other replicas fetch content from this one; unset: the first TCP "
            + "address of LULL_LISTEN, with the machine's name in place of an address such as "
            + "0.0.0.0", .advertise)
    let traceOrigins = Setting(
        "LULL_TRACE_ORIGINS", "off",
        "on: requests to origins have the traceparent of the request that created the download, as "
            + "webhooks do",
        .choice(["on", "off"]))
    let replicaGoneAfter = Setting(
        "LULL_REPLICA_GONE_AFTER", "24h",
        "time without a running replica on a data directory after which its content counts as lost",
        .duration(atLeast: .seconds(1)))
    let clockSteady = Setting(
        "LULL_CLOCK_STEADY", "10m",
        "how long the database's clock has to be steady, after a jump of more than an hour against "
            + "the machine's, before anything ends by it (retentions, LULL_REPLICA_GONE_AFTER, "
            + "LULL_QUARANTINE, resource timeouts)",
        .duration(atLeast: .seconds(1)))
    let quarantine = Setting(
        "LULL_QUARANTINE", "24h",
        "how long files that no download names are kept in content/quarantine before they are "
            + "removed; shorter if a download waits for their room; 0: removed at once",
        .duration(atLeast: .zero))
    let webhookSecret = Setting(
        "LULL_WEBHOOK_SECRET", isSecret: true,
        "whsec_ and base64 of 24 to 64 bytes: signs webhooks to a webhook_url, for apps that have "
            + "no secret of their own; unset: each app gets one", .text)
    let webhookSecretOverlap = Setting(
        "LULL_WEBHOOK_SECRET_OVERLAP", "24h",
        "how long a replaced secret still signs, together with the new one",
        .duration(atLeast: .milliseconds(1)))
    let webhookDisableAfter = Setting(
        "LULL_WEBHOOK_DISABLE_AFTER", "120h",
        "time without an answer 2xx after which an endpoint may be disabled",
        .duration(atLeast: .milliseconds(1)))
    let webhookDisableFailures = Setting(
        "LULL_WEBHOOK_DISABLE_FAILURES", "10",
        "minimum failed tries in that time before an endpoint is disabled",
        .integer(in: 1...1_000_000))
    let webhookDisableSpread = Setting(
        "LULL_WEBHOOK_DISABLE_SPREAD", "12h",
        "minimum time between the first and the last of these tries", .duration(atLeast: .zero))
    let deliveryRetention = Setting(
        "LULL_DELIVERY_RETENTION", "7d",
        "how long an ended delivery of a webhook is kept, with the outcome of each try",
        .duration(atLeast: .seconds(1)))
    let webhookRetrySchedule = Setting(
        "LULL_WEBHOOK_RETRY_SCHEDULE", "5s,5m,30m,2h,5h,10h,14h,20h,24h",
        "waits between the attempts to deliver a webhook", .durations(countAtMost: 32))
    let webhookTimeout = Setting(
        "LULL_WEBHOOK_TIMEOUT", "15s", "time for one attempt to deliver a webhook",
        .duration(atLeast: .milliseconds(100)))
    let smtpURL = Setting(
        "LULL_SMTP_URL", isSecret: true,
        "server that takes the mail of endpoints with the format email: smtp://HOST:PORT (587 "
            + "without a port; STARTTLS where the server offers it) or smtps://HOST:PORT (465), "
            + "with USER:PASSWORD@ before the host, percent-encoded, which are sent over TLS only; "
            + "no list of destinations applies to it; unset: no mail", .mailServer)
    let smtpFrom = Setting(
        "LULL_SMTP_FROM",
        "address from which mail is sent, such as lull@example.org; needed with LULL_SMTP_URL",
        .mailAddress)
    let wakeDelay = Setting(
        "LULL_WAKE_DELAY", "60s",
        "how long a download waits that was created after a wake, in the background; doubles with "
            + "each wake; 0s: no wait", .duration(atLeast: .zero))
    let wakeDelayCap = Setting(
        "LULL_WAKE_DELAY_CAP", "1h",
        "upper bound of LULL_WAKE_DELAY after doubling", .duration(atLeast: .zero))
    let wakeTimeout = Setting(
        "LULL_WAKE_TIMEOUT", "10s",
        "how long a wake that was answered but not completed stays open before it is sent again",
        .duration(atLeast: .milliseconds(100)))
    let webhookProgressInterval = Setting(
        "LULL_WEBHOOK_PROGRESS_INTERVAL", "5s",
        "shortest time between two events download.progress of a download that are kept, and sent "
            + "as webhooks",
        .duration(atLeast: .milliseconds(100)))
    let maxConnections = Setting(
        "LULL_MAX_CONNECTIONS", "8192", "most clients connected at once; others wait",
        .integer(in: 1...1_000_000))
    let connectionsPerAddress = Setting(
        "LULL_CONNECTIONS_PER_ADDRESS", "2048",
        "most clients connected at once from one address (IPv6: /64); others are disconnected",
        .integer(in: 1...1_000_000))
    let lanes = Setting(
        "LULL_LANES",
        "threads that serve HTTP, 1 to \(Server.lanesAtMost); unset: half of the processors, "
            + "1 to 8",
        .integer(in: 1...Server.lanesAtMost))
    let logFormat = Setting(
        "LULL_LOG_FORMAT", "auto",
        "format of the log on standard error: json, text, or auto (text on a terminal, else json)",
        .choice(["auto", "json", "text"]),
        isLive: true)
    let logLevel = Setting(
        "LULL_LOG_LEVEL", "info",
        "least urgent level that is logged: debug, info, warn or error",
        .logLevel, isLive: true)
    let shutdownGrace = Setting(
        "LULL_SHUTDOWN_GRACE", "20s", "longest time for an orderly stop", .duration(atLeast: .zero))

    /// All settings, from the properties above.
    static let all: [any AnySetting] = Mirror(reflecting: SettingTable()).children.map {
        guard let setting = $0.value as? any AnySetting else {
            preconditionFailure("the table has settings only")
        }
        return setting
    }
}
