// Running the programs of PostgreSQL.
internal import CPostgres
internal import Glibc
internal import Platform

/// Runs programs as the server's account, in a directory that this account can enter.
struct ServerProcess {
    /// The account to change to; nil for that of this process.
    let account: ServerAccount?

    /// The result of a program that ended.
    struct Ending {
        let isSuccess: Bool
        let output: String
    }

    /// Runs a program and waits for its end.
    ///
    /// - Parameter command: the program's path and its arguments.
    /// - Returns: whether its exit status was 0, and at most 64 KiB of its output.
    /// - Throws: `serverFailed` if it cannot be started.
    func run(_ command: [String]) throws(PostgresError) -> Ending {
        do throws(Errno) {
            var ends: [Int32] = [0, 0]
            try retryingInterrupts { unsafe pipe(&ends) }
            let reading = FileDescriptor(owning: ends[0])
            let pid: pid_t
            do {
                let writing = FileDescriptor(owning: ends[1])
                for end in ends { try retryingInterrupts { fcntl(end, F_SETFD, FD_CLOEXEC) } }
                pid = try spawn(command, output: writing)
            }
            let output = try ServerFiles.bytes(of: reading, bytesMax: 65_536)
            var status: Int32 = 0
            try retryingInterrupts { unsafe waitpid(pid, &status, 0) }
            return Ending(isSuccess: status == 0, output: String(decoding: output, as: UTF8.self))
        } catch {
            throw PostgresError(.serverFailed, "\(command[0]) cannot be run: \(error)")
        }
    }

    /// Starts a program in a session of its own; it outlives this process.
    ///
    /// - Parameters:
    ///   - command: the program's path and its arguments.
    ///   - output: where its output is written.
    /// - Returns: its process number.
    /// - Throws: what posix_spawn(3) answered.
    func spawn(
        _ command: [String], output: borrowing FileDescriptor
    ) throws(Errno) -> pid_t {
        let words = (account?.prefix ?? []) + command
        let program = account == nil ? command[0] : Self.path(of: words[0]) ?? words[0]
        var arguments = unsafe words.map { unsafe strdup($0) }
        var environment = unsafe Self.environment().map { unsafe strdup($0) }
        defer { unsafe (arguments + environment).forEach { unsafe free($0) } }
        unsafe arguments.append(nil)
        unsafe environment.append(nil)
        var pid: pid_t = 0
        let failure = unsafe lull_spawn_detached(
            &pid, program, arguments, environment, "/", output.rawValue)
        guard failure == 0 else { throw Errno(rawValue: failure) }
        return pid
    }

    /// The path of a program, from PATH and the usual directories.
    static func path(of program: String) -> String? {
        searchPath.map { "\($0)/\(program)" }.first { unsafe access($0, X_OK) == 0 }
    }

    /// The directories of PATH, then the usual ones.
    static var searchPath: [String] {
        let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? ""
        return path.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
            + ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"]
    }

    /// Only the paths are passed on: PGPORT or PGOPTIONS must not reach the server.
    private static func environment() -> [String] {
        var variables = ["PATH=" + searchPath.joined(separator: ":"), "LC_ALL=C", "TZ=UTC"]
        if let libraries = unsafe getenv("LD_LIBRARY_PATH") {
            let value = unsafe String(cString: libraries)
            variables.append("LD_LIBRARY_PATH=\(value)")
        }
        return variables
    }
}
