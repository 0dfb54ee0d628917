// The program: which command, and what it answers to the shell.
internal import Glibc
internal import Platform

/// `lull COMMAND [--flag value …]`; exit status 0 done, 1 failed, 2 used wrongly.
@main
struct Main {
    static func main() async {
        Memory.settle()
        Signals.ignoreBrokenPipes()
        var arguments = Array(CommandLine.arguments.dropFirst())
        let isFlag = arguments.first?.hasPrefix("-") ?? true
        let command = isFlag ? "serve" : arguments.removeFirst()
        if arguments.contains("--help") || arguments.contains("-h") || command == "help" {
            return print(Help.text)
        }
        if command == "version" || arguments.contains("--version") {
            return print("lull \(Version.text)")
        }
        do throws(ConfigurationError) {
            let values = try SettingValues(
                environment: environment(), flags: command == "keys" ? [] : arguments)
            exit(await perform(command, values, try Configuration(values), arguments))
        } catch {
            complain("\(error)")
            exit(2)
        }
    }

    private static func perform(
        _ command: String, _ values: SettingValues, _ configuration: Configuration,
        _ arguments: [String]
    ) async -> Int32 {
        switch command {
        case "serve": return await Serve(configuration).run()
        case "migrate": return await Migrate.run(configuration)
        case "keys": return await Keys.run(configuration, arguments)
        case "healthcheck": return await Healthcheck.run(configuration)
        case "check-config":
            CheckConfig.run(values)
            return 0
        case "openapi":
            print(Help.openAPI, terminator: "")
            return 0
        default:
            complain("\(command) is not a command; see lull --help")
            return 2
        }
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

/// Says a sentence on standard error.
func complain(_ text: String) {
    let bytes = Array("lull: \(text)\n".utf8)
    // Nowhere is left to say that this did not work.
    _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
}

/// The program's version.
enum Version {
    static let text = "0.1.0"
}
