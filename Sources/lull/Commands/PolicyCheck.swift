// `lull policy check FILE`: what the service would say about a policy document.
internal import Core

/// Judges a policy document without a service, a database or a network.
enum PolicyCheck {
    private static let bytesAtMost = 4 << 20

    /// Prints every finding, one a line.
    ///
    /// - Returns: the exit status: 0 for a document that is taken, 1 for one that is refused.
    /// - Throws: `CommandError` for a file that cannot be read.
    static func run(_ path: String, _ configuration: Configuration) throws -> Int32 {
        guard let bytes = TextFile.read(path, bytesAtMost: bytesAtMost) else {
            throw CommandError("\(path) cannot be read, or has more than 4 MiB")
        }
        let document: JSON
        do throws(JSONError) {
            document = try JSON.parse(bytes)
        } catch {
            throw CommandError("\(path) is not JSON: \(error)")
        }
        let zones = ZoneFiles()
        let reading = Policy.read(
            document, defaults: configuration.limits, bandwidth: configuration.bandwidth,
            isZone: { zones.rules(of: $0) != nil })
        for finding in reading.findings {
            let hint = finding.suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
            print("\(finding.level.rawValue) \(finding.pointer) \(finding.detail)\(hint)")
        }
        if reading.omitted > 0 { print("and \(reading.omitted) more errors") }
        guard let policy = reading.policy else { return 1 }
        print(
            "taken: \(policy.rules.count) rules, \(policy.windows.count) windows, "
                + "\(policy.conditions.count) conditions, \(policy.budgets.count) budgets")
        return 0
    }
}
