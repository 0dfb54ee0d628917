// Programs beside the benchmarks: servers that run on, and commands that end.
import Foundation

/// A server that was started and is stopped in the end.
final class Command {
    private let process = Process()

    /// Starts a program found on PATH; its output goes to a file.
    init(
        _ program: String, _ arguments: [String], plan: Plan, log: String,
        environment: [String: String] = [:]
    ) throws {
        guard FileManager.default.createFile(atPath: log, contents: nil) else {
            throw BenchmarkError("\(log) cannot be made")
        }
        let output = try FileHandle(forWritingTo: URL(filePath: log))
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let counting = plan.instrument(of: program)?.environment ?? [:]
        process.environment = plan.environment.merging(environment.merging(counting) { $1 }) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try output.close()
    }

    var pid: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    /// Asks the program to end and waits until it has.
    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        while process.isRunning { Thread.sleep(forTimeInterval: 0.001) }
    }

    /// Interrupts the program, as Ctrl-C does, and waits until it has ended.
    func interrupt() {
        guard process.isRunning else { return }
        process.interrupt()
        process.waitUntilExit()
    }

    /// The status of a command and its standard output.
    struct Result {
        let status: Int32
        let output: String
    }

    /// Runs a command to its end; its errors go to the standard error of the benchmarks.
    static func run(
        _ program: String, _ arguments: [String], plan: Plan, environment: [String: String] = [:]
    ) throws -> Result {
        guard let instrument = plan.instrument(of: program) else {
            return try perform([program] + arguments, plan, environment)
        }
        return try instrument.run { prefix in
            try perform(
                prefix + [program] + arguments, plan,
                environment.merging(instrument.environment) { $1 })
        }
    }

    private static func perform(
        _ words: [String], _ plan: Plan, _ environment: [String: String]
    ) throws -> Result {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.environment = plan.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
    }

    /// Runs a command that must succeed.
    @discardableResult
    static func check(
        _ program: String, _ arguments: [String], plan: Plan, environment: [String: String] = [:]
    ) throws -> String {
        let result = try run(program, arguments, plan: plan, environment: environment)
        guard result.status == 0 else {
            throw BenchmarkError("\(program) ended with \(result.status): \(result.output)")
        }
        return result.output
    }
}
