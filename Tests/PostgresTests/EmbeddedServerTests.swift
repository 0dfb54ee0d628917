// The private server: made, stopped, restarted, adopted, and refused with a reason.
import Foundation
import Platform
import Postgres
import Support
import Testing

@Suite(.serialized) struct EmbeddedServerTests {
    /// Lends a directory that is removed at the end, with a server that is stopped.
    private func withServer(
        in suffix: String = "", _ body: (EmbeddedServer, String) async throws -> Void
    ) async throws {
        let root = "/tmp/lull-embedded-\(UInt32.random(in: 0 ... .max))"
        let directory = root + suffix
        let server = EmbeddedServer(directory: directory, options: Self.options)
        do { try await body(server, directory) } catch {
            try await server.stop()
            try FileManager.default.removeItem(atPath: root)
            throw error
        }
        try await server.stop()
        try FileManager.default.removeItem(atPath: root)
    }

    private static var options: EmbeddedServer.Options {
        var options = EmbeddedServer.Options()
        options.syncsNewCluster = false
        options.settings = [("shared_buffers", "16MB")]
        return options
    }

    private func ask<Value: ColumnValue>(
        _ url: String, _ sql: String, as type: Value.Type = Value.self
    ) async throws -> Value {
        let connection = PostgresConnection(url: url)
        try await connection.open()
        let value = try await connection.query(sql)[0].get(0, as: Value.self)
        await connection.close()
        return value
    }

    @Test func keepsItsDataOverARestart() async throws {
        try await withServer { server, directory in
            let url = try await server.start()
            #expect(await server.role == .starter)
            let pool = ConnectionPool(url: url, size: 1)
            try await pool.script("CREATE TABLE kept (a int); INSERT INTO kept VALUES (7)")
            #expect(try await pool.durabilitySettings().areSafe)
            for (name, value) in [
                ("listen_addresses", ""), ("data_checksums", "on"), ("max_connections", "64"),
                ("max_wal_size", "2GB"), ("server_encoding", "UTF8"), ("shared_buffers", "16MB"),
            ] {
                let rows = try await pool.query("SELECT current_setting($1)", [name])
                #expect(try rows[0].get(0, as: String.self) == value)
            }
            await pool.close()
            #expect(try await server.start() == url)
            try await server.stop()
            #expect(await server.role == nil)
            #expect(!FileManager.default.fileExists(atPath: directory + "/data/postmaster.pid"))

            let again = EmbeddedServer(directory: directory, options: Self.options)
            let kept = try await ask(again.start(), "SELECT a FROM kept", as: Int.self)
            #expect(kept == 7)
            try await again.stop()
        }
    }

    @Test func restartsALostServer() async throws {
        try await withServer { server, _ in
            _ = try await server.start()
            let pid = try #require(await server.processID)
            #expect(kill(pid, SIGKILL) == 0)
            let answer = try await ask(server.start(), "SELECT 1", as: Int.self)
            #expect(answer == 1)
            let role = await server.role
            let other = await server.processID
            #expect(role == .starter && other != pid)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func restartsALostServerWithoutAQuery() async throws {
        try await withServer { server, directory in
            #expect(EmbeddedServer.find(in: directory) == .absent)
            let url = try await server.start()
            #expect(EmbeddedServer.find(in: directory) == .running(url: url))
            let watch = Task { await server.keepRunning(RestartSchedule(base: 1_000)) }
            for round in 1...2 {
                let pid = try #require(await server.processID)
                #expect(kill(pid, SIGKILL) == 0)
                while server.restarts < round { try await Task.sleep(for: .milliseconds(10)) }
                let other = await server.processID
                #expect(other != nil && other != pid)
                let answer = try await ask(url, "SELECT 1", as: Int.self)
                #expect(answer == 1)
            }
            watch.cancel()
            #expect(await watch.value == nil)
            try await server.stop()
            #expect(EmbeddedServer.find(in: directory) == .stopped)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func givesUpWithTheServersLog() async throws {
        try await withServer { server, directory in
            _ = try await server.start()
            let file = directory + "/data/postgresql.conf"
            let settings = try String(contentsOfFile: file, encoding: .utf8)
            try Data((settings + "\nno_such_setting = 1\n").utf8)
                .write(to: URL(fileURLWithPath: file))
            let pid = try #require(await server.processID)
            #expect(kill(pid, SIGKILL) == 0)
            let failure = await server.keepRunning(RestartSchedule(base: 1_000, failuresMax: 3))
            let message = try #require(failure?.message)
            #expect(message.hasPrefix("the private PostgreSQL failed 3 times in 5 minutes"))
            #expect(message.contains("no_such_setting"))
            #expect(server.restarts == 0)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func aSecondProcessTakesOverTheServer() async throws {
        try await withServer { server, directory in
            let url = try await server.start()
            let guest = EmbeddedServer(directory: directory, options: Self.options)
            _ = try await guest.start()
            let watch = Task { await guest.keepRunning(RestartSchedule(base: 1_000)) }
            try await server.stop()
            while guest.restarts < 1 { try await Task.sleep(for: .milliseconds(10)) }
            let answer = try await ask(url, "SELECT 1", as: Int.self)
            #expect(answer == 1)
            let role = await guest.role
            #expect(role == .starter)
            watch.cancel()
            _ = await watch.value
            try await guest.stop()
        }
    }

    @Test func sharesAndAdoptsARunningServer() async throws {
        try await withServer { server, directory in
            let url = try await server.start()
            let pid = await server.processID
            let guest = EmbeddedServer(directory: directory, options: Self.options)
            let guestURL = try await guest.start()
            #expect(guestURL == url)
            #expect(await guest.role == .guest)
            try await guest.stop()
            let answer = try await ask(url, "SELECT 1", as: Int.self)
            #expect(answer == 1)

            await server.abandon()
            let heir = EmbeddedServer(directory: directory, options: Self.options)
            _ = try await heir.start()
            let role = await heir.role
            let heirs = await heir.processID
            #expect(role == .adopter && heirs == pid)
            try await heir.stop()
            let error = await #expect(throws: PostgresError.self) {
                try await PostgresConnection(url: url).open()
            }
            #expect(error?.code == .connectionFailed)
        }
    }

    @Test func ignoresAPidFileOfAnotherProgram() async throws {
        try await withServer { server, directory in
            _ = try await server.start()
            try await server.stop()
            let file = directory + "/data/postmaster.pid"
            let lines = "\(getpid())\n\(directory)/data\n1700000000\n5432\n\(directory)/socket\n\n"
            try Data(lines.utf8).write(to: URL(fileURLWithPath: file))
            let answer = try await ask(server.start(), "SELECT 1", as: Int.self)
            #expect(answer == 1)
        }
    }

    @Test func usesAShortSocketPathForALongDirectory() async throws {
        let long = "/" + String(repeating: "long name, with % and \"", count: 5)
        try await withServer(in: long) { server, _ in
            let url = try await server.start()
            #expect(url.contains("host=/tmp/lull-"))
            let answer = try await ask(url, "SELECT 1", as: Int.self)
            #expect(answer == 1)
        }
    }

    @Test(.enabled(if: geteuid() == 0))
    func reportsADirectoryThatTheAccountCannotEnter() async throws {
        let root = "/tmp/lull-embedded-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(
            atPath: root, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        let server = EmbeddedServer(directory: root + "/a/b", options: Self.options)
        let error = await #expect(throws: PostgresError.self) { try await server.start() }
        try await server.stop()
        #expect(error?.code == .serverDirectory)
        #expect(error?.message.contains("cannot enter \(root):") == true)
        try FileManager.default.removeItem(atPath: root)
    }
}
