// Creating a cluster, and cleaning up after a server that crashed.
internal import Glibc
internal import Platform

extension EmbeddedServer {
    /// Creates a cluster under a temporary name and renames it when it is complete; see initdb(1).
    func makeCluster(
        _ layout: ServerLayout, _ binaries: ServerBinaries, _ process: ServerProcess
    ) throws(PostgresError) {
        log.debug(
            "creating the data directory of the private PostgreSQL",
            [("directory", .string(layout.directory))])
        if ServerFiles.status(layout.partial) != nil {
            let remove = ServerProcess.path(of: "rm") ?? "/bin/rm"
            _ = try process.run([remove, "-rf", "--", layout.partial])
        }
        // Trust authentication is limited by the socket's directory, which only its owner and root
        // can enter.
        let ending = try process.run(
            [
                binaries.initdb, "-D", layout.partial, "-U", "lull", "-A", "trust", "-E", "UTF8",
                "--locale=C", "--data-checksums",
            ] + (options.syncsNewCluster ? [] : ["--no-sync"]))
        guard ending.isSuccess else {
            let lines = ending.output.split(separator: "\n").suffix(3).joined(separator: "; ")
            throw PostgresError(.serverFailed, "initdb failed: \(lines)")
        }
        let canCompress = try process.run(
            [
                binaries.postgres, "-D", layout.partial, "-c", "wal_compression=lz4", "-C",
                "wal_compression",
            ])
        do throws(Errno) {
            let file = try ServerFiles.open(
                layout.partial + "/postgresql.conf", O_WRONLY | O_APPEND)
            try ServerFiles.write(
                Self.tuning(compression: canCompress.isSuccess ? "lz4" : "on"), to: file)
            let number = file.rawValue
            try retryingInterrupts { fsync(number) }
            try retryingInterrupts { unsafe rename(layout.partial, layout.data) }
            let directory = try ServerFiles.open(layout.directory, O_RDONLY | O_DIRECTORY)
            let directoryNumber = directory.rawValue
            try retryingInterrupts { fsync(directoryNumber) }
        } catch {
            throw PostgresError(.serverDirectory, "\(layout.data) cannot be made: \(error)")
        }
    }

    /// Settings that an operator may change in the cluster's `postgresql.conf`.
    private static func tuning(compression: String) -> String {
        """

        # Written by lull when it made this cluster; yours to change.
        max_connections = 64
        shared_buffers = 128MB
        wal_compression = \(compression)
        max_wal_size = 2GB
        autovacuum_naptime = 10s

        """
    }

    /// Waits for the end of the processes that a lost server left running, and removes the files
    /// that would keep a new one from starting: process numbers in them may be in use again, above
    /// all in containers.
    ///
    /// Only the holder of the lock calls this, after it found no living postmaster.
    func clearWay(_ layout: ServerLayout) async throws(PostgresError) {
        guard let text = ServerFiles.text(layout.postmaster) else { return }
        let deadline = SystemClock.bootNanoseconds() + 10_000_000_000
        while let process = Self.process(workingIn: layout.data) {
            guard SystemClock.bootNanoseconds() < deadline else {
                throw PostgresError(
                    .serverFailed,
                    "process \(process) of an earlier PostgreSQL server still uses \(layout.data): "
                        + "end it, then start lull again")
            }
            try await pause()
        }
        var leftovers = [layout.socket, layout.socket + ".lock"]
        // A file without a process number is left to the server, which also checks its shared
        // memory.
        if let pid = text.split(separator: "\n").first.flatMap({ Int32($0) }), pid > 0,
            !isAlive(pid, data: layout.data), ServerFiles.status("/proc/\(pid)") != nil
        {
            leftovers.append(layout.postmaster)
        }
        for path in leftovers where ServerFiles.status(path) != nil {
            guard unsafe unlink(path) == 0 else {
                throw PostgresError(
                    .serverDirectory, "\(path) cannot be removed: \(Errno.current)")
            }
        }
        log.warn("starting a new private PostgreSQL, because the last one ended unexpectedly")
    }

    /// Finds a process whose working directory is the given one; see proc(5).
    private static func process(workingIn directory: String) -> String? {
        ServerFiles.names(in: "/proc").first {
            Int32($0) != nil && ServerFiles.link("/proc/\($0)/cwd") == directory
        }
    }
}
