// A PostgreSQL server that a test starts, kills, restarts and promotes.
import Foundation

/// A durable server of its own on a loopback port and a Unix socket, as a user without rights.
actor PostgresCluster {
    /// The port; a restart does not change it.
    nonisolated let port: Int
    /// The folder of the Unix socket.
    nonisolated let sockets: String

    private let scratch: Scratch
    private let name: String
    private let binaries: String
    private var child: ChildProcess?
    /// The file in which faketime reads the offset of the server's clock.
    private var clockFile: String?

    /// Prepares a server with a name of its own in the scratch folder; no cluster is made yet.
    init(in scratch: Scratch, named name: String = "primary") async throws {
        self.scratch = scratch
        self.name = name
        port = try await freePort()
        let found = try await ChildProcess.run(
            "bash", ["-c", "ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1"])
        binaries = found.output.trimmingCharacters(in: .whitespacesAndNewlines)
        sockets = try scratch.folder("\(name)-sockets")
        try await Self.own(try scratch.folder(name), sockets)
    }

    /// The URL of the database over TCP.
    nonisolated var url: String { "postgresql://lull@127.0.0.1:\(port)/lull" }

    private nonisolated var data: String { scratch.file("\(name)/data") }

    /// Makes the cluster and starts it, with an empty database `lull`.
    func create() async throws {
        try await run(
            "initdb", ["-D", data, "-U", "lull", "-A", "trust", "--no-sync", "-E", "UTF8"])
        try await configure("max_connections = 200\nwal_level = replica\nmax_wal_senders = 5\n")
        try await start()
        try await psql("CREATE DATABASE lull", database: "postgres")
    }

    /// Makes a standby of another server and starts it; commits there wait for this one.
    func create(standbyOf primary: PostgresCluster) async throws {
        let source = "host=127.0.0.1 port=\(primary.port) user=lull application_name=\(name)"
        try await run(
            "pg_basebackup", ["-D", data, "-R", "-X", "stream", "-c", "fast", "-d", source])
        try await start()
        try await primary.psql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        try await primary.psql("SELECT pg_reload_conf()")
        try await eventually("a synchronous standby") {
            let state = try await primary.psql("SELECT sync_state FROM pg_stat_replication")
            return state == "sync" ? () : nil
        }
    }

    /// Starts the server and waits until it answers.
    func start() async throws {
        precondition(child == nil, "the server runs already")
        try await eventually("PostgreSQL at port \(port)") {
            if let child, !child.isRunning { self.child = nil }
            // Sessions of a killed server may hold its memory for a moment.
            if child == nil { child = try launch() }
            return try await answers() ? () : nil
        }
    }

    /// Kills the server like a loss of power: no session ends in order.
    func killHard() async {
        child?.send(SIGKILL)
        _ = await child?.status()
        child = nil
    }

    /// Makes a standby the primary; its own commits wait for no other server.
    func promote() async throws {
        try await run("pg_ctl", ["promote", "-D", data, "-w"])
        try await psql("ALTER SYSTEM SET synchronous_standby_names = ''")
        try await psql("SELECT pg_reload_conf()")
    }

    /// Runs a statement and returns its rows without decoration.
    @discardableResult
    func psql(_ sql: String, database: String = "lull") async throws -> String {
        let url = "postgresql://lull@127.0.0.1:\(port)/\(database)"
        let result = try await ChildProcess.run(
            "\(binaries)/psql", ["-XAtq", "-v", "ON_ERROR_STOP=1", url, "-c", sql])
        guard result.status == 0 else { throw HarnessError("psql: \(result.output)") }
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Restarts the server with a clock of its own, which `setClock` moves.
    ///
    /// - Parameter library: libfaketime.
    /// - Throws: an error if the server does not start again.
    func fakeClock(with library: String) async throws {
        await killHard()
        let file = scratch.file("\(name)/clock")
        clockFile = file
        try setClock("+0")
        fake = [
            "env", "LD_PRELOAD=\(library)", "FAKETIME_TIMESTAMP_FILE=\(file)",
            "FAKETIME_NO_CACHE=1", "FAKETIME_DONT_FAKE_MONOTONIC=1",
        ]
        try await start()
    }

    /// Sets the offset of the clock from the true time, in words of faketime such as `+10d`.
    func setClock(_ words: String) throws {
        guard let clockFile else { throw HarnessError("the server has the machine's clock") }
        // The file is replaced whole, because the server reads it whenever it reads the clock.
        let next = clockFile + ".new"
        try Data((words + "\n").utf8).write(to: URL(fileURLWithPath: next))
        guard unsafe chmod(next, 0o644) == 0, unsafe rename(next, clockFile) == 0 else {
            throw HarnessError("\(clockFile) was not written")
        }
    }

    private var fake: [String] = []

    private func launch() throws -> ChildProcess {
        let settings = [
            "-p", "\(port)", "-c", "listen_addresses=127.0.0.1", "-c",
            "unix_socket_directories=\(sockets)",
        ]
        return try ChildProcess(
            "/usr/bin/env", Self.asUser + fake + ["\(binaries)/postgres", "-D", data] + settings,
            environment: Environment.plain, log: scratch.file("\(name).log"))
    }

    private func answers() async throws -> Bool {
        try await ChildProcess.run(
            "\(binaries)/pg_isready", ["-q", "-h", "127.0.0.1", "-p", "\(port)"]
        ).status == 0
    }

    private func configure(_ text: String) async throws {
        try scratch.write(text, to: "\(name).conf")
        try await command(
            "bash", ["-c", "cat \(scratch.file("\(name).conf")) >> \(data)/postgresql.conf"])
    }

    private func run(_ program: String, _ arguments: [String]) async throws {
        try await command("\(binaries)/\(program)", arguments)
    }

    private func command(_ program: String, _ arguments: [String]) async throws {
        let words = Self.asUser + [program] + arguments
        let result = try await ChildProcess.run(words[0], Array(words.dropFirst()))
        guard result.status == 0 else { throw HarnessError("\(program): \(result.output)") }
    }

    /// The server refuses to run as root.
    private static let asUser =
        geteuid() == 0
        ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : ["env"]

    private static func own(_ folders: String...) async throws {
        guard geteuid() == 0 else { return }
        let result = try await ChildProcess.run("chown", ["postgres:"] + folders)
        guard result.status == 0 else { throw HarnessError("chown: \(result.output)") }
    }
}
