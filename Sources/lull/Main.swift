// The program: runs a command, and ends with its exit status.
internal import Client
internal import Glibc
internal import Platform

/// `lull COMMAND [--flag value]...`; the exit status is 0 for done, 1 for failed, 2 for a usage or
/// configuration error.
@main
struct Main {
    static func main() async {
        Memory.settle()
        Signals.ignoreBrokenPipes()
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            if words.isEmpty, ClientProgram.welcome(environment: environment()) { exit(0) }
            exit(try await perform(try Invocation(words, .program, version: Version.line)))
        } catch let failure as ClientFailure {
            if !failure.description.isEmpty { complain(failure.description) }
            exit(failure.status.rawValue)
        } catch {
            complain("\(error)")
            exit(error is UsageError || error is ConfigurationError ? 2 : 1)
        }
    }

    private static func perform(_ invocation: Invocation) async throws -> Int32 {
        let arguments: Arguments
        switch invocation {
        case .say(let text):
            print(text)
            return 0
        case .perform(let given): arguments = given
        }
        let name = arguments.command.name
        if let text = try ProgramTexts.text(arguments) {
            print(text)
            return 0
        }
        if arguments.command.group == .client {
            return try ClientProgram.run(arguments, environment: environment()).rawValue
        }
        if name == "verify-webhook" {
            try VerifyWebhook(arguments).run()
            return 0
        }
        // The arguments are checked before the environment, and before anything is opened.
        let keys = arguments.command.words[0] == "keys" ? try Keys(arguments) : nil
        let replicas =
            arguments.command.words[0] == "replicas" ? try ReplicaCommand(arguments) : nil
        let source = SettingSource(environment: environment(), flags: arguments.settings)
        let values = try source.read()
        let configuration = try Configuration(values)
        switch name {
        case "serve": try await Serve(configuration, values, source: source).run()
        case "migrate": try await Migrate.run(configuration)
        case "healthcheck":
            try Healthcheck.run(configuration, server: source.environment["LULL_SERVER"])
        case "check-config":
            let connects = !arguments["--connect"].isEmpty
            try await CheckConfig.run(values, configuration, connects: connects)
        case "replicas", "replicas forget", "replicas accept-loss":
            try await replicas?.run(configuration)
        case "doctor":
            return await Doctor(
                configuration: configuration, values: values, environment: source.environment
            ).run()
        case "policy check": return try PolicyCheck(arguments).run(configuration)
        default:
            guard let keys else { preconditionFailure("\(name) has a line above") }
            try await keys.run(arguments, configuration, environment: source.environment)
        }
        return 0
    }

    private static func environment() -> [String: String] {
        var result: [String: String] = [:]
        var next = unsafe environ
        while let entry = unsafe next.pointee {
            let text = unsafe String(cString: entry)
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
            unsafe next += 1
        }
        return result
    }
}

/// The reason why a command failed, one sentence; exit status 1.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Writes a sentence to standard error.
func complain(_ text: String) {
    let bytes = Array("lull: \(text)\n".utf8)
    // A failed write to standard error cannot be reported.
    _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
}
