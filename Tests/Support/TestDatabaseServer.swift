// The temporary server of a test process. It is fast, not durable: in memory if there is room,
// because a disk takes several times as long to remove a database.
internal import Glibc
internal import Platform
internal import Postgres
internal import Store

/// Starts the server once and creates databases on it.
actor TestDatabaseServer {
    static let shared = TestDatabaseServer()

    private var server: EmbeddedServer?
    private var starting: Task<Result<ConnectionPool, PostgresError>, Never>?
    private var templating: Task<String, any Error>?
    private var made = 0

    func makeDatabase(
        from template: String = "template1"
    ) async throws(PostgresError)
        -> TestDatabase
    {
        let pool = try await maintenance()
        made += 1
        let name = "test_\(made)"
        try await pool.script("CREATE DATABASE \(name) TEMPLATE \(template)")
        guard let url = await server?.url(database: name) else {
            throw PostgresError(.serverFailed, "the test server was stopped")
        }
        return TestDatabase(name: name, url: url)
    }

    /// Creates a database with the product's schema: a copy of one that the first call creates.
    func makeDatabaseWithSchema() async throws -> TestDatabase {
        let task =
            templating
            ?? Task {
                let template = try await self.makeDatabase()
                let connection = PostgresConnection(url: template.url)
                try await connection.open()
                try await Migrator(connection: connection, log: .silent).run()
                await connection.close()
                return template.name
            }
        templating = task
        return try await makeDatabase(from: try await task.value)
    }

    func drop(_ name: String) async throws(PostgresError) {
        try await maintenance().script("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
    }

    /// A pool for statements about databases; concurrent first callers wait for the same start.
    private func maintenance() async throws(PostgresError) -> ConnectionPool {
        let task = starting ?? Task { await self.start() }
        starting = task
        return try await task.value.get()
    }

    private func start() async -> Result<ConnectionPool, PostgresError> {
        let identity = "\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let directory = "\(Self.parent)/lull-test-\(identity)"
        var options = EmbeddedServer.Options()
        options.syncsNewCluster = false
        options.settings = [
            ("fsync", "off"), ("full_page_writes", "off"), ("max_connections", "200"),
            ("shared_buffers", "64MB"), ("autovacuum_naptime", "1min"),
        ]
        let server = EmbeddedServer(directory: directory, options: options)
        self.server = server
        do throws(PostgresError) {
            try Self.leaveGuard(directory)
            let url = try await server.start()
            // Many tests connect at once, and a busy machine takes long.
            var patience = ConnectionOptions()
            patience.statementTimeoutMilliseconds = 120_000
            patience.callTimeoutMilliseconds = 130_000
            return .success(ConnectionPool(url: url, size: 4, options: patience, limits: .patient))
        } catch {
            return .failure(error)
        }
    }

    /// A folder in memory, if it has room for the databases of all tests at once.
    private static var parent: String {
        var status = statvfs()
        let isThere = unsafe statvfs("/dev/shm", &status) == 0
        return isThere && status.f_bavail * status.f_bsize >= roomNeeded ? "/dev/shm" : "/tmp"
    }

    /// The free bytes that are required: some fifty databases of 10 MB, their log of 1 GB at most,
    /// and a reserve.
    private static let roomNeeded: UInt = 4 << 30

    /// Starts a shell that outlives this process, however that ends, and removes the server
    /// afterwards.
    private static func leaveGuard(_ directory: String) throws(PostgresError) {
        let script = """
            tail -s 0.2 -f /dev/null --pid="$1"
            if [ -f "$2/data/postmaster.pid" ]; then
                server=$(head -n 1 "$2/data/postmaster.pid")
                kill -QUIT "$server" && tail -s 0.1 -f /dev/null --pid="$server"
            fi
            rm -rf -- "$2"
            """
        do throws(Errno) {
            _ = try ChildShell(
                "exec setsid /bin/sh -c \"$1\" lull-test-guard \"$2\" \"$3\" < /dev/null",
                [script, "\(getpid())", directory], in: "/")
        } catch {
            throw PostgresError(.serverFailed, "no guard for the test server: \(error)")
        }
    }
}
