// The real PgBouncer in transaction mode.
import Foundation

/// PgBouncer before a server, with fewer sessions than Lull has connections.
actor PgBouncer {
    /// The URL that leads through it.
    nonisolated let url: String

    private let scratch: Scratch
    private var child: ChildProcess?

    /// Prepares a PgBouncer before a server.
    init(in scratch: Scratch, before cluster: PostgresCluster, sessions: Int = 5) async throws {
        self.scratch = scratch
        let port = try await freePort()
        url = "postgresql://lull@127.0.0.1:\(port)/lull"
        try scratch.write(
            """
            [databases]
            lull = host=127.0.0.1 port=\(cluster.port) dbname=lull user=lull
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = any
            pool_mode = transaction
            default_pool_size = \(sessions)
            max_client_conn = 200

            """, to: "pgbouncer.ini")
    }

    /// Starts it and waits until it passes a statement on.
    func start() async throws {
        let user = geteuid() == 0 ? ["-u", "postgres"] : []
        let child = try ChildProcess(
            "/usr/bin/env", ["pgbouncer", "-q"] + user + [scratch.file("pgbouncer.ini")],
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
            log: scratch.file("pgbouncer.log"))
        self.child = child
        try await eventually("pgbouncer at \(url)") {
            guard child.isRunning else {
                throw HarnessError("pgbouncer ended: \(try scratch.read("pgbouncer.log"))")
            }
            return try await ask("SELECT 1") == "1" ? () : nil
        }
    }

    /// Runs a statement in one of its sessions.
    func ask(_ sql: String) async throws -> String {
        try await ChildProcess.run("psql", ["-XAtq", url, "-c", sql]).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func stop() async {
        _ = await child?.stop()
        child = nil
    }
}
