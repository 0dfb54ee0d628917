// A new cluster, and what a dead server left in an old one.
internal import Glibc
internal import Platform

extension EmbeddedServer {
    /// Makes a cluster beside its place and moves it there when it is whole; see initdb(1).
    func makeCluster(
        _ layout: ServerLayout, _ binaries: ServerBinaries, _ process: ServerProcess
    ) throws(PostgresError) {
        log.info("database is being made", [("directory", .string(layout.directory))])
        if ServerFiles.status(layout.partial) != nil {
            let remove = ServerProcess.path(of: "rm") ?? "/bin/rm"
            _ = try process.run([remove, "-rf", "--", layout.partial])
        }
        // Trust is bounded by the socket's directory, which only its owner and root can enter.
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

    /// Removes a file that names a process of another program, which would keep the server from
    /// starting: numbers repeat, above all in containers.
    ///
    /// A file that names no process is left to the server, which also looks at the shared memory.
    func removeForeignPostmasterFile(_ layout: ServerLayout) throws(PostgresError) {
        guard let text = ServerFiles.text(layout.postmaster),
            let pid = text.split(separator: "\n").first.flatMap({ Int32($0) }), pid > 0,
            ServerFiles.status("/proc/\(pid)") != nil
        else { return }
        for name in ServerFiles.names(in: "/proc") where Int32(name) != nil {
            guard ServerFiles.link("/proc/\(name)/cwd") != layout.data else {
                throw PostgresError(
                    .serverFailed, "process \(name) of a lost server still uses \(layout.data)")
            }
        }
        guard unsafe unlink(layout.postmaster) == 0 else {
            throw PostgresError(
                .serverDirectory, "\(layout.postmaster) cannot be removed: \(Errno.current)")
        }
        log.warn("removed the pid file of a lost database server")
    }
}
