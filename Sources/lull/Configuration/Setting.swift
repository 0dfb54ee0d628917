// The names that an operator may set, in one table.

/// One thing that can be configured, as `LULL_…` in the environment or `--…` as a flag.
struct Setting: Sendable {
    /// The name in the environment.
    let name: String
    /// What holds if nobody sets it; nil means nothing.
    let standard: String?
    /// Whether the value is a secret: then `…_FILE` works too, and nobody prints it.
    let isSecret: Bool
    /// One line for `--help`.
    let help: String

    /// The flag with the same name.
    var flag: String {
        "--" + name.dropFirst(5).lowercased().map { $0 == "_" ? "-" : String($0) }.joined()
    }

    private init(_ name: String, _ standard: String?, isSecret: Bool = false, _ help: String) {
        self.name = name
        self.standard = standard
        self.isSecret = isSecret
        self.help = help
    }

    /// All of them, in the order of `--help`.
    static let all: [Setting] = [
        Setting(
            "LULL_LISTEN", "127.0.0.1:8080",
            "addresses to serve, separated by commas: HOST:PORT, [IPv6]:PORT or unix:/PATH"),
        Setting(
            "LULL_DATABASE_URL", nil, isSecret: true,
            "PostgreSQL 15 or later; unset: a private server in the data directory"),
        Setting(
            "LULL_DATABASE_TIMEOUT", "10s",
            "time for one answer of the database; less than five sixths of LULL_LEASE"),
        Setting("LULL_DATA_DIR", "./.lull", "where files rest, and the private server"),
        Setting(
            "LULL_AUTH", nil,
            "keys, or none; unset: none if all listen on loopback or a Unix socket, else keys"
        ),
        Setting(
            "LULL_DOWNLOAD_DESTINATIONS", "public",
            "where downloads may come from: public, private, loopback, CIDRs, host globs"),
        Setting(
            "LULL_WEBHOOK_DESTINATIONS", "public", "where webhooks may go, the same words"),
        Setting(
            "LULL_PROXY_DESTINATIONS", nil,
            "where proxies of downloads may be, the same words; unset: no proxies"),
        Setting(
            "LULL_ENCRYPTION_KEY_FILE", nil,
            "files of 32 bytes, base64 or hex: the first seals credentials, all open them; unset: "
                + "a file in the data directory"),
        Setting(
            "LULL_CA_FILE", nil,
            "PEM file of the authorities that origins and webhooks are checked by; unset: the "
                + "system's"),
        Setting("LULL_RUNNING", "64", "downloads at once in this process"),
        Setting("LULL_PER_ORIGIN", "6", "downloads at once from one origin, over all replicas"),
        Setting(
            "LULL_BANDWIDTH", "off",
            "bytes a second over all replicas, or a timetable, where the policy says nothing"),
        Setting("LULL_RETRY_BASE", "30s", "upper bound of the first wait after a failure"),
        Setting("LULL_RETRY_CAP", "5h", "upper bound of every wait after a failure"),
        Setting("LULL_MAX_ATTEMPTS", "8", "attempts without progress before a download fails"),
        Setting(
            "LULL_TIMEOUT_INTERVAL_FOR_REQUEST", "60s", "time without a byte that ends an attempt"),
        Setting(
            "LULL_LOW_SPEED_LIMIT", "100",
            "bytes a second that an answer has to bring while Lull does not hold it up; 0: any"),
        Setting(
            "LULL_LOW_SPEED_TIME", "5m",
            "time over which they are counted, at least that without a byte"),
        Setting(
            "LULL_TIMEOUT_INTERVAL_FOR_RESOURCE", "7d",
            "time from its earliest begin after which a download fails"),
        Setting(
            "LULL_MIN_FREE_BYTES", nil,
            "what stays free on the volume of LULL_DATA_DIR; unset: 5 % of it, at least 1GiB, at "
                + "most 50GiB, never more than a tenth"),
        Setting(
            "LULL_CONTENT_RETENTION", "7d", "how long the file of a finished download is kept"),
        Setting(
            "LULL_SEGMENTS", "1",
            "streams at once for a large file, 1 to 8; a download may say otherwise"),
        Setting(
            "LULL_PROGRESS_INTERVAL", "1s",
            "how often open streams and long polls learn how far downloads are"),
        Setting("LULL_LEASE", "30s", "how long work is held without a heartbeat"),
        Setting(
            "LULL_WEBHOOK_SECRET", nil, isSecret: true,
            "whsec_ and base64 of 24 to 64 bytes; unset: made once and kept in the database"),
        Setting(
            "LULL_WEBHOOK_RETRY_SCHEDULE", "5s,5m,30m,2h,5h,10h,14h,20h,24h",
            "waits between the tries of a webhook"),
        Setting("LULL_WEBHOOK_TIMEOUT", "15s", "time for one try of a webhook"),
        Setting(
            "LULL_WEBHOOK_PROGRESS_INTERVAL", "5s",
            "shortest time between two progress events of a download"),
        Setting("LULL_CONNECTIONS", "8192", "clients connected at once; others wait"),
        Setting(
            "LULL_CONNECTIONS_PER_ADDRESS", "2048",
            "clients connected at once from one address (IPv6: /64); others are cut off"),
        Setting("LULL_LOG_FORMAT", "json", "json or text, on standard error"),
        Setting("LULL_LOG_LEVEL", "info", "debug, info, warn or error"),
        Setting("LULL_SHUTDOWN_GRACE", "20s", "time for an orderly stop"),
    ]
}
