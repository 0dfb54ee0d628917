// One of the two programs that are compared.
import Foundation

/// A build of Lull: its program, and the names of settings that it knows.
struct Build {
    /// `before` or `after`.
    let name: String
    let binary: String
    private let help: String

    /// The names that a setting has had, the newest first.
    private static let names = [
        "running": ["LULL_MAX_RUNNING", "LULL_RUNNING"],
        "per_origin": ["LULL_MAX_RUNNING_PER_ORIGIN", "LULL_PER_ORIGIN"],
        "connections": ["LULL_MAX_CONNECTIONS", "LULL_CONNECTIONS"],
    ]

    /// Asks a program for its help.
    init(name: String, binary: String, plan: Plan) throws {
        self.name = name
        self.binary = binary
        help = try Command.check(binary, ["--help"], plan: plan)
    }

    /// Values of settings under the names that this build has for them.
    func settings(_ values: [String: Int]) throws -> [String: String] {
        var settings: [String: String] = [:]
        for (setting, value) in values {
            let known = Self.names[setting, default: []].first { help.contains($0 + "\n") }
            guard let known else {
                throw BenchmarkError("\(binary) --help has no setting for \(setting)")
            }
            settings[known] = String(value)
        }
        return settings
    }
}
