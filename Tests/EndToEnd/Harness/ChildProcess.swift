// Programs that the tests start: servers that run beside a test, and commands that end.
import Foundation

/// A program started by a test, its output in a file.
final class ChildProcess: Sendable {
    private let process: Process
    private let ending: Task<Int32, Never>

    /// Starts a program with exactly the given environment; its output is appended to `log`.
    init(
        _ executable: String, _ arguments: [String], environment: [String: String], log: String
    ) throws {
        if !FileManager.default.fileExists(atPath: log) {
            guard FileManager.default.createFile(atPath: log, contents: nil) else {
                throw HarnessError("cannot make \(log)")
            }
        }
        let output = try FileHandle(forWritingTo: URL(filePath: log))
        try output.seekToEnd()
        process = Process()
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        let (statuses, continuation) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = {
            // A program ended by a signal gets the number that a shell would show.
            let isSignal = $0.terminationReason == .uncaughtSignal
            continuation.yield(isSignal ? 128 + $0.terminationStatus : $0.terminationStatus)
            continuation.finish()
        }
        ending = Task {
            for await status in statuses { return status }
            return -1
        }
        try Self.withSignalsUnblocked { try process.run() }
        try output.close()
    }

    /// Starts a child without the blocked signals of a thread of the pool, which it would inherit.
    private static func withSignalsUnblocked(_ start: () throws -> Void) throws {
        var none = sigset_t()
        var before = sigset_t()
        guard
            unsafe sigemptyset(&none) == 0,
            unsafe pthread_sigmask(SIG_SETMASK, &none, &before) == 0
        else { throw HarnessError("cannot unblock signals") }
        defer {
            let status = unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
            precondition(status == 0, "a mask that was read can be set again")
        }
        try start()
    }

    var isRunning: Bool { process.isRunning }

    var identifier: Int32 { process.processIdentifier }

    /// Sends a signal to this process alone; does nothing when it has ended.
    func send(_ signal: Int32) {
        guard process.isRunning else { return }
        _ = kill(process.processIdentifier, signal)
    }

    /// Asks the program to end, insists after a minute, and answers as `status` does.
    func stop() async -> Int32 {
        send(SIGTERM)
        for _ in 0..<600 where process.isRunning {
            // If a test ran out of time the pause is cancelled; then there is no pause.
            do { try await Task.sleep(for: .milliseconds(100)) } catch { break }
        }
        send(SIGKILL)
        return await status()
    }

    /// Waits for the end; 128 + N after signal N, as in a shell.
    func status() async -> Int32 { await ending.value }

    /// The output and the status of a command that ends by itself.
    struct Result {
        let status: Int32
        let output: String
    }

    /// Runs a command found on `PATH` to its end.
    static func run(_ command: String, _ arguments: [String]) async throws -> Result {
        let scratch = try Scratch()
        let child = try ChildProcess(
            "/usr/bin/env", [command] + arguments, environment: Environment.plain,
            log: scratch.file("output"))
        let status = await child.status()
        let output = try scratch.read("output")
        try scratch.remove()
        return Result(status: status, output: output)
    }
}

/// The environment that the programs under test get.
enum Environment {
    /// The variables with paths of tools only: `LULL_BINARY` would be an unknown setting to lull.
    static let plain = ProcessInfo.processInfo.environment.filter {
        ["PATH", "HOME", "LANG", "TZ"].contains($0.key)
    }
}
