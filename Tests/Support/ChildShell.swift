// A shell process for a test. Foundation's Process reads beyond the end of a directory's entries
// when a process has more than a thousand open descriptors (it copies each entry at its largest
// size), and a run of these tests has: it ended in a segmentation fault.
internal import CPostgres
internal import Glibc
package import Platform

/// A shell that runs a script to its end; `word()` writes to its standard input.
package struct ChildShell: Sendable {
    private let process: pid_t
    private let input: Int32

    /// Starts a script.
    ///
    /// - Parameters:
    ///   - script: for sh(1); nothing of what it prints is seen.
    ///   - arguments: `$1` and further.
    ///   - directory: where it runs.
    /// - Throws: why there is no shell.
    package init(
        _ script: String, _ arguments: [String] = [], in directory: String
    ) throws(Errno) {
        var ends = [Int32](repeating: -1, count: 2)
        // The number of SOCK_STREAM, which has two types in Swift; a socket, because writing to it
        // raises no signal.
        try retryingInterrupts { unsafe socketpair(AF_UNIX, 1, 0, &ends) }
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        defer { _ = close(ends[0]) }
        let words =
            ["/bin/sh", "-c", "cd \"$1\" && shift\n" + script, "shell", directory] + arguments
        do throws(Errno) {
            process = try ChildShell.spawn(words, input: ends[0])
        } catch {
            _ = close(ends[1])
            throw error
        }
        input = ends[1]
    }

    private static func spawn(_ words: [String], input: Int32) throws(Errno) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { throw .current }
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        for output: Int32 in [1, 2] {
            unsafe posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
        }
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let failure = unsafe posix_spawn(
            &process, words[0], &actions, nil, &arguments, environ)
        guard failure == 0 else { throw Errno(rawValue: failure) }
        return process
    }

    /// Lets a `read` of the script continue; works even if another child holds this descriptor
    /// open.
    package func word() {
        let text: [UInt8] = [UInt8(ascii: "\n")]
        _ = unsafe send(input, text, text.count, Int32(MSG_NOSIGNAL))
    }

    /// Waits for the end of the script, without blocking a thread.
    ///
    /// - Returns: whether the script ended by itself with 0.
    package func end() async throws -> Bool {
        defer { _ = close(input) }
        while true {
            var status: Int32 = 0
            let ended = unsafe waitpid(process, &status, WNOHANG)
            if ended == process { return status == 0 }
            guard ended == 0 || Errno.current == .interrupted else { throw Errno.current }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
