// The steps of a start: find the programs, create the cluster, launch the server, wait until it
// answers.
internal import Glibc
internal import Platform

extension EmbeddedServer {
    /// Tries to take the lock that makes this process the owner of the directory; see flock(2).
    func takeLock(_ layout: ServerLayout) throws(PostgresError) {
        guard lock == nil else { return }
        do throws(Errno) {
            let file = try ServerFiles.open(layout.lock, O_RDWR | O_CREAT)
            let number = file.rawValue
            do throws(Errno) {
                try retryingInterrupts { flock(number, LOCK_EX | LOCK_NB) }
                lock = consume file
            } catch {
                guard error == .wouldBlock else { throw error }
            }
        } catch {
            throw PostgresError(.serverDirectory, "\(layout.lock) cannot be locked: \(error)")
        }
    }

    /// The running postmaster of the cluster; nil for none.
    func livingPostmaster(_ layout: ServerLayout) -> PostmasterFile? {
        guard let text = ServerFiles.text(layout.postmaster) else { return nil }
        guard let file = PostmasterFile(text) else { return nil }
        return isAlive(file.processID, data: layout.data) ? file : nil
    }

    /// Whether a process exists and works in the cluster, as every server process does.
    func isAlive(_ pid: pid_t, data: String) -> Bool {
        // Reaps the process if it is a child, or became one because this process is process 1.
        _ = waitpid(pid, nil, WNOHANG)
        return ServerFiles.link("/proc/\(pid)/cwd") == data
    }

    /// Waits for a server that another process started.
    ///
    /// - Returns: false if it went away.
    func settle(
        _ layout: ServerLayout, _ postmaster: PostmasterFile, role: Role, until deadline: Int64
    ) async throws(PostgresError) -> Bool {
        let url = ServerLayout.url(
            socketDirectory: postmaster.socketDirectory, port: postmaster.port,
            database: "postgres")
        while SystemClock.bootNanoseconds() < deadline {
            if case .accepts = ServerPing.send(to: url) {
                if running == nil {
                    log.info("private PostgreSQL is already running", [("role", "\(role)")])
                }
                running = Running(
                    role: role, processID: postmaster.processID,
                    socketDirectory: postmaster.socketDirectory, port: postmaster.port,
                    data: layout.data)
                return true
            }
            guard isAlive(postmaster.processID, data: layout.data) else { return false }
            try await pause()
        }
        return false
    }

    /// Waits for the server that this process just launched.
    ///
    /// - Returns: false if the time is over.
    /// - Throws: `serverFailed` when it ended.
    func settleOwn(
        _ layout: ServerLayout, _ pid: pid_t, until deadline: Int64
    ) async throws(PostgresError) -> Bool {
        let url = ServerLayout.url(
            socketDirectory: layout.socketDirectory, port: ServerLayout.port, database: "postgres")
        while SystemClock.bootNanoseconds() < deadline {
            var status: Int32 = 0
            guard unsafe waitpid(pid, &status, WNOHANG) == 0 else {
                throw PostgresError(
                    .serverFailed, "the database server ended: \(ServerFiles.tail(layout.log))",
                    detail: layout.log)
            }
            if case .accepts = ServerPing.send(to: url), livingPostmaster(layout) != nil {
                running = Running(
                    role: .starter, processID: pid, socketDirectory: layout.socketDirectory,
                    port: ServerLayout.port, data: layout.data)
                log.info("private PostgreSQL started", [("directory", .string(layout.directory))])
                return true
            }
            do throws(PostgresError) { try await pause() } catch {
                // No other process would stop this server: only the holder of the lock does.
                _ = kill(pid, SIGQUIT)
                throw error
            }
        }
        return false
    }

    /// Returns the URL of the database, after creating the database if the cluster does not have
    /// it.
    func readyURL() async throws(PostgresError) -> String {
        guard let maintenance = url(database: "postgres"),
            let ready = url(database: options.database)
        else { throw PostgresError(.serverFailed, "the database server was stopped") }
        guard running?.role != .guest else { return ready }
        let connection = PostgresConnection(url: maintenance)
        try await connection.open()
        let found = try await connection.query(
            "SELECT 1 FROM pg_database WHERE datname = $1", [options.database])
        if found.isEmpty {
            let name = options.database.split(separator: "\"").joined(separator: "\"\"")
            try await connection.script("CREATE DATABASE \"\(name)\"")
        }
        await connection.close()
        return ready
    }

    /// Creates the cluster if there is none, and starts the server.
    ///
    /// - Returns: the postmaster's process number.
    func launch(_ layout: ServerLayout) throws(PostgresError) -> pid_t {
        let account = try ServerAccount.choose(
            clusterOwner: ServerFiles.status(layout.data)?.userID)
        try layout.hand(to: account)
        if let account { try layout.checkAccess(by: account) }
        let process = ServerProcess(account: account)
        let version = ServerFiles.text(layout.data + "/PG_VERSION").flatMap {
            Int($0.prefix { $0.isNumber })
        }
        let binaries = try ServerBinaries.find(version: version)
        if ServerFiles.status(layout.data) == nil { try makeCluster(layout, binaries, process) }
        do throws(Errno) {
            if let size = ServerFiles.status(layout.log)?.size, size > 10 << 20 {
                try retryingInterrupts { unsafe rename(layout.log, layout.log + ".1") }
            }
            let output = try ServerFiles.open(
                layout.log, O_WRONLY | O_CREAT | O_APPEND, mode: 0o640)
            return try process.spawn(
                [binaries.postgres, "-D", layout.data] + settings(layout), output: output)
        } catch {
            throw PostgresError(.serverFailed, "\(binaries.postgres) cannot be started: \(error)")
        }
    }

    /// The settings that override the cluster's files, followed by the caller's.
    private func settings(_ layout: ServerLayout) -> [String] {
        let socket = layout.socketDirectory.split(separator: "\"").joined(separator: "\"\"")
        let fixed = [
            ("listen_addresses", ""), ("unix_socket_directories", "\"\(socket)\""),
            ("unix_socket_permissions", "0700"), ("port", String(ServerLayout.port)),
            ("fsync", "on"), ("synchronous_commit", "on"), ("full_page_writes", "on"),
            ("logging_collector", "off"), ("log_destination", "stderr"),
        ]
        return (fixed + options.settings).flatMap { ["-c", "\($0.0)=\($0.1)"] }
    }
}
