// `lull policy check FILE`: the findings of the service about a policy document.
internal import Base
internal import Client
internal import Scheduling

/// Checks a policy document without a service, a database or a network.
struct PolicyCheck {
    private static let bytesAtMost = 4 << 20

    private let path: String
    /// The app of the document; nil for the deployment.
    private let app: String?
    /// The path of the deployment's document, which an app's document needs.
    private let base: String?
    private let zones = ZoneFiles()

    /// Reads the operand and the options.
    ///
    /// - Throws: `CommandError` where `--over` stands alone.
    init(_ arguments: Arguments) throws {
        path = arguments.operands[0]
        app = arguments["--app"].first
        base = arguments["--over"].first
        if base != nil, app == nil { throw CommandError("--over needs --app") }
    }

    /// Prints every finding, one a line.
    ///
    /// - Returns: the exit status: 0 for a document that is taken, 1 for one that is refused.
    /// - Throws: `CommandError` for a file that cannot be read, or a deployment's policy that is
    ///   refused.
    func run(_ configuration: Configuration) throws -> Int32 {
        let reading = try read(configuration)
        for finding in reading.findings {
            let hint = finding.suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
            let place = PlaceWords.member(finding.pointer)
            print("\(finding.level.rawValue) \(place) \(finding.detail)\(hint)")
        }
        if reading.omitted > 0 { print("and \(reading.omitted) more errors") }
        guard let policy = reading.policy else { return 1 }
        print(
            "valid: \(policy.rules.count) rules, \(policy.windows.count) windows, "
                + "\(policy.conditions.count) conditions, \(policy.budgets.count) budgets")
        return 0
    }

    private func read(_ configuration: Configuration) throws -> PolicyReading {
        let document = try PolicyCheck.document(path)
        guard let app else { return deployment(document, configuration) }
        let below = try base.map { try PolicyCheck.document($0) } ?? .object(JSONObject())
        guard let policy = deployment(below, configuration).policy else {
            throw CommandError(
                "\(base ?? "the policy of the settings") is not valid; check it first")
        }
        return Policy.read(
            document, of: app, over: policy, isZone: { zones.rules(of: $0) != nil })
    }

    private func deployment(_ document: JSON, _ configuration: Configuration) -> PolicyReading {
        Policy.read(
            document, defaults: configuration.limits, bandwidth: configuration.bandwidth,
            isZone: { zones.rules(of: $0) != nil })
    }

    private static func document(_ path: String) throws -> JSON {
        guard let bytes = TextFile.read(path, bytesAtMost: bytesAtMost) else {
            throw CommandError("\(path) cannot be read, or has more than 4 MiB")
        }
        do throws(JSONError) {
            return try JSON.parse(bytes)
        } catch {
            throw CommandError("\(path) is not JSON: \(error)")
        }
    }
}
