// The settings with their meaning.
internal import Core
internal import HTTPServer
internal import Platform
internal import Worker

/// Everything that an operator decides, read and checked.
struct Configuration: Sendable {
    var listen: [ListenAddress]
    var databaseURL: String?
    var databaseTimeout: Duration
    var dataDirectory: String
    var needsKeys: Bool
    var downloadDestinations: Destinations
    var webhookDestinations: Destinations
    var proxyDestinations: Destinations?
    var encryptionKeyFiles: [String]
    var certificateFile: String?
    var limits: PolicyLimits
    var minimumFree: Int64?
    var bandwidth: Timetable?
    var retries: RetrySchedule
    var lowSpeed: LowSpeed?
    var defaults: DeploymentDefaults
    var lease: Duration
    var webhookSecret: String?
    var deliveries: DeliverySchedule
    var webhookTimeout: Duration
    var progressInterval: Duration
    var webhookProgressInterval: Duration
    var server: ServerLimits
    var logsJSON: Bool
    var logLevel: LogLevel
    var grace: Duration

    /// Reads meaning into the texts.
    ///
    /// - Throws: `ConfigurationError`, which names the setting and what it may be.
    init(_ values: SettingValues) throws(ConfigurationError) {
        listen = try Configuration.addresses(values)
        databaseURL = values["LULL_DATABASE_URL"]
        dataDirectory = values["LULL_DATA_DIR"] ?? "./.lull"
        downloadDestinations = try values.parsed("LULL_DOWNLOAD_DESTINATIONS", Destinations.parse)
        webhookDestinations = try values.parsed("LULL_WEBHOOK_DESTINATIONS", Destinations.parse)
        proxyDestinations =
            values.isSet("LULL_PROXY_DESTINATIONS")
            ? try values.parsed("LULL_PROXY_DESTINATIONS", Destinations.parse) : nil
        encryptionKeyFiles = (values["LULL_ENCRYPTION_KEY_FILE"] ?? "").split(separator: ",")
            .map { $0.filter { $0 != " " } }
        certificateFile = values["LULL_CA_FILE"]
        let running = try Configuration.number(values, "LULL_RUNNING", in: 1...10_000)
        let perOrigin = try Configuration.number(values, "LULL_PER_ORIGIN", in: 1...10_000)
        limits = PolicyLimits(running: running, perOrigin: perOrigin, perSession: running)
        minimumFree =
            values.isSet("LULL_MIN_FREE_BYTES")
            ? try values.parsed("LULL_MIN_FREE_BYTES", ByteCount.parse) : nil
        bandwidth = try values.parsed("LULL_BANDWIDTH") { text throws(TimetableError) in
            try Timetable(parsing: text)
        }
        let base = try Configuration.duration(values, "LULL_RETRY_BASE", atLeast: .milliseconds(1))
        let cap = try Configuration.duration(values, "LULL_RETRY_CAP", atLeast: .milliseconds(1))
        guard cap >= base else {
            throw ConfigurationError("LULL_RETRY_CAP: must not be shorter than LULL_RETRY_BASE")
        }
        retries = RetrySchedule(
            base: base, cap: cap,
            maximumAttempts: try Configuration.number(values, "LULL_MAX_ATTEMPTS", in: 1...1000))
        lowSpeed = try Configuration.lowSpeed(values)
        defaults = DeploymentDefaults(
            requestTimeout: try Configuration.seconds(values, "LULL_TIMEOUT_INTERVAL_FOR_REQUEST"),
            resourceTimeout: try Configuration.seconds(
                values, "LULL_TIMEOUT_INTERVAL_FOR_RESOURCE"),
            contentRetention: try Configuration.seconds(values, "LULL_CONTENT_RETENTION"),
            segments: Int64(try Configuration.number(values, "LULL_SEGMENTS", in: 1...8)))
        lease = try Configuration.duration(values, "LULL_LEASE", atLeast: .seconds(3))
        databaseTimeout = try Configuration.databaseTimeout(values, lease: lease)
        webhookSecret = values["LULL_WEBHOOK_SECRET"]
        deliveries = try Configuration.schedule(values)
        webhookTimeout = try Configuration.duration(
            values, "LULL_WEBHOOK_TIMEOUT", atLeast: .milliseconds(100))
        progressInterval = try Configuration.duration(
            values, "LULL_PROGRESS_INTERVAL", atLeast: .milliseconds(100))
        webhookProgressInterval = try Configuration.duration(
            values, "LULL_WEBHOOK_PROGRESS_INTERVAL", atLeast: .milliseconds(100))
        server = ServerLimits(
            connections: try Configuration.number(values, "LULL_CONNECTIONS", in: 1...1_000_000),
            connectionsPerAddress: try Configuration.number(
                values, "LULL_CONNECTIONS_PER_ADDRESS", in: 1...1_000_000))
        logsJSON = try Configuration.choice(values, "LULL_LOG_FORMAT", ["json", "text"]) == "json"
        let level = try Configuration.choice(
            values, "LULL_LOG_LEVEL", LogLevel.allCases.map { "\($0)" })
        logLevel = LogLevel(name: level) ?? .info
        grace = try Configuration.duration(values, "LULL_SHUTDOWN_GRACE", atLeast: .zero)
        let isLocal = listen.allSatisfy(\.isLocal)
        needsKeys =
            values.isSet("LULL_AUTH")
            ? try Configuration.choice(values, "LULL_AUTH", ["keys", "none"]) == "keys" : !isLocal
        guard needsKeys || isLocal else {
            throw ConfigurationError(
                "LULL_AUTH: none is accepted only when every address in LULL_LISTEN is on "
                    + "loopback or a Unix socket; make a key with lull keys create and use keys")
        }
    }

    private static func addresses(
        _ values: SettingValues
    ) throws(ConfigurationError) -> [ListenAddress] {
        var list: [ListenAddress] = []
        for word in (values["LULL_LISTEN"] ?? "").split(separator: ",") {
            let text = word.filter { $0 != " " }
            guard let address = ListenAddress(text) else {
                throw ConfigurationError(
                    "LULL_LISTEN: \"\(text)\" is not HOST:PORT, [IPv6]:PORT or unix:/PATH")
            }
            list.append(address)
        }
        guard !list.isEmpty else { throw ConfigurationError("LULL_LISTEN: names no address") }
        return list
    }

    private static func number(
        _ values: SettingValues, _ name: String, in range: ClosedRange<Int>
    ) throws(ConfigurationError) -> Int {
        guard let number = Int(values[name] ?? ""), range.contains(number) else {
            throw ConfigurationError(
                "\(name): must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func duration(
        _ values: SettingValues, _ name: String, atLeast least: Duration
    ) throws(ConfigurationError) -> Duration {
        let duration = try values.parsed(name, DurationText.parse)
        guard duration >= least else {
            throw ConfigurationError("\(name): must be at least \(DurationText.print(least))")
        }
        return duration
    }

    private static func databaseTimeout(
        _ values: SettingValues, lease: Duration
    ) throws(ConfigurationError) -> Duration {
        let name = "LULL_DATABASE_TIMEOUT"
        let timeout = try duration(values, name, atLeast: .milliseconds(100))
        let bound = lease - WorkerSettings.margin(of: lease)
        guard timeout < bound else {
            throw ConfigurationError(
                "\(name): must be less than five sixths of LULL_LEASE, "
                    + DurationText.print(bound))
        }
        return timeout
    }

    private static func seconds(
        _ values: SettingValues, _ name: String
    ) throws(ConfigurationError) -> Int64 {
        try duration(values, name, atLeast: .seconds(1)).wholeMicroseconds / 1_000_000
    }

    private static func lowSpeed(
        _ values: SettingValues
    ) throws(ConfigurationError) -> LowSpeed? {
        let limit = try values.parsed("LULL_LOW_SPEED_LIMIT", ByteCount.parse)
        let window = try duration(values, "LULL_LOW_SPEED_TIME", atLeast: .seconds(1))
        return limit > 0 ? LowSpeed(bytesPerSecond: limit, window: window) : nil
    }

    private static func choice(
        _ values: SettingValues, _ name: String, _ choices: [String]
    ) throws(ConfigurationError) -> String {
        guard let text = values[name], choices.contains(text) else {
            throw ConfigurationError("\(name): must be one of \(choices.joined(separator: ", "))")
        }
        return text
    }

    private static func schedule(
        _ values: SettingValues
    ) throws(ConfigurationError) -> DeliverySchedule {
        var waits: [Duration] = []
        for word in (values["LULL_WEBHOOK_RETRY_SCHEDULE"] ?? "").split(separator: ",") {
            do throws(QuantityError) {
                waits.append(try DurationText.parse(word.filter { $0 != " " }))
            } catch {
                throw ConfigurationError("LULL_WEBHOOK_RETRY_SCHEDULE: \(error)")
            }
        }
        guard waits.count <= 32 else {
            throw ConfigurationError("LULL_WEBHOOK_RETRY_SCHEDULE: at most 32 waits")
        }
        return DeliverySchedule(waits: waits)
    }
}

extension ListenAddress {
    /// Whether only this machine can reach it.
    var isLocal: Bool {
        let text = description
        return text.hasPrefix("unix:") || text.hasPrefix("127.") || text.hasPrefix("[::1]:")
            || text.hasPrefix("localhost:")
    }
}
