// `lull doctor`: checks everything that a deployment depends on, and names remedies.
internal import Base
internal import Content
internal import HTTPServer
internal import Platform
internal import Postgres
internal import Scheduling
internal import Store

/// Runs the checks, leaves nothing behind, and prints a line for each finding.
struct Doctor {
    let configuration: Configuration
    /// The texts of the settings, with their files.
    let values: SettingValues
    /// The variables of the process.
    let environment: [String: String]

    /// Prints the findings.
    ///
    /// - Returns: the exit status: 0 without a fault, else 1.
    func run() async -> Int32 {
        var findings = settings() + disk() + permissions()
        findings += await database()
        findings += await stores()
        findings.append(service())
        for finding in findings { print(finding.line) }
        return findings.contains { $0.level == .fault } ? 1 : 0
    }

    private func settings() -> [HealthFinding] {
        do throws(ConfigurationError) {
            try Preflight.check(configuration)
            return [HealthFinding(.good, "settings", "they are valid")]
        } catch {
            return [HealthFinding(.fault, "settings", "\(error)")]
        }
    }

    private func disk() -> [HealthFinding] {
        let path = configuration.dataDirectory
        do throws(ContentError) {
            let probe = try FolderProbe(of: path)
            let reserve =
                configuration.minimumFree
                ?? DiskReading.standardReserve(total: probe.volume.total)
            let reading = DiskReading(
                free: probe.volume.free, total: probe.volume.total, reserve: reserve)
            let room = "\(ByteCount.short(reading.room)) of \(ByteCount.short(reading.total))"
            let micros = Int64(probe.syncTime / .microseconds(1))
            return [
                reading.room > 0
                    ? HealthFinding(.good, "disk", "downloads may use \(room)")
                    : HealthFinding(
                        .fault, "disk",
                        "downloads may use \(room), so none begins; release content, make the "
                            + "volume larger, or lower LULL_MIN_FREE_BYTES"),
                probe.syncTime < .milliseconds(50)
                    ? HealthFinding(.good, "fsync", "writing and syncing 4 KiB takes \(micros) us")
                    : HealthFinding(
                        .warning, "fsync",
                        "writing and syncing 4 KiB takes \(micros) us, and every download waits "
                            + "for that at its end; move LULL_DATA_DIR to a faster disk"),
            ]
        } catch {
            let isNew = error.code == .notFound
            return [
                HealthFinding(
                    isNew ? .warning : .fault, "disk",
                    isNew
                        ? "\(path) does not exist yet; lull serve creates it"
                        : "\(error.description); see that the user of lull may write there")
            ]
        }
    }

    /// Finds files with keys, secrets or a configuration with secrets that other users may read.
    private func permissions() -> [HealthFinding] {
        let named = configuration.encryptionKeyFiles
        let keys = named.isEmpty ? [EncryptionKeys.ownFile(configuration)] : named
        let open = (keys + values.secretFiles).filter { FolderProbe.isOpenToOthers($0) }
        guard !open.isEmpty else {
            return [
                HealthFinding(
                    .good, "permissions",
                    "only their owner can read the files with keys and secrets")
            ]
        }
        return open.map { file in
            HealthFinding(
                .warning, "permissions",
                "other users of this machine can read \(file); chmod 600 \(file)")
        }
    }

    private func database() async -> [HealthFinding] {
        guard let url = configuration.databaseURL ?? runningServer else {
            return [
                HealthFinding(
                    .warning, "database",
                    "the private PostgreSQL is not running; start lull serve, then run lull doctor "
                        + "again")
            ]
        }
        var findings: [HealthFinding] = []
        do {
            try await Database.reach(configuration, url) { connection in
                findings = try await DatabaseHealth.read(over: connection) {
                    Timestamp(microseconds: SystemClock.wallMicroseconds())
                }.findings
                findings += try await schema(connection, url)
            }
        } catch {
            if let standby = await standby(url) { return standby }
            findings.append(
                HealthFinding(
                    .fault, "database",
                    "\(error); see that it is running, and that its address is right"))
        }
        return findings
    }

    /// The finding about a server that takes no writes, to which `lull serve` does not connect.
    ///
    /// - Returns: nil where it is none, or is not reached.
    private func standby(_ url: String) async -> [HealthFinding]? {
        // The text is a URL, or keywords of libpq with spaces between them.
        let separator = url.contains("://") ? (url.contains("?") ? "&" : "?") : " "
        let connection = PostgresConnection(
            url: url + separator + "target_session_attrs=any",
            options: configuration.connectionOptions)
        var findings: [HealthFinding]?
        do throws(PostgresError) {
            try await connection.open()
            let health = try await DatabaseHealth.read(over: connection) {
                Timestamp(microseconds: SystemClock.wallMicroseconds())
            }
            findings = health.isStandby ? health.findings : nil
        } catch {
            findings = nil
        }
        await connection.close()
        return findings
    }

    private var runningServer: String? {
        guard case .running(let url) = EmbeddedServer.find(in: configuration.serverDirectory) else {
            return nil
        }
        return url
    }

    private func schema(
        _ connection: PostgresConnection, _ url: String
    ) async throws -> [HealthFinding] {
        let pending = try await Migrator(connection: connection, log: .silent).pending()
        guard pending == 0 else {
            return [
                HealthFinding(
                    .warning, "schema",
                    "\(pending) migrations have not been applied; run lull migrate, or start lull "
                        + "serve")
            ]
        }
        let pool = ConnectionPool(url: url, size: 1, options: configuration.connectionOptions)
        let replicas = try await Downloads(pool: pool, changes: ChangeHub()).replicas.list()
        await pool.close()
        let silent = replicas.filter { !$0.works && $0.files > 0 }.map { "\($0.number)" }
        return [
            HealthFinding(.good, "schema", "it is the one of this version of lull"),
            silent.isEmpty
                ? HealthFinding(
                    .good, "replicas",
                    "\(replicas.count { $0.works }) running; none that is not running has files")
                : HealthFinding(
                    .warning, "replicas",
                    "replicas that are not running have files (\(silent.joined(separator: ", "))); "
                        + "start them, or give them up with lull replicas forget N"),
        ]
    }

    private func service() -> HealthFinding {
        do {
            let server = environment["LULL_SERVER"]
            try Healthcheck.ask(configuration, server: server)
            return HealthFinding(
                .good, "service", "ready at \(server ?? configuration.listen[0].description)")
        } catch {
            return HealthFinding(
                .warning, "service",
                "\(error); start lull serve, or look at its log if it is running")
        }
    }
}
