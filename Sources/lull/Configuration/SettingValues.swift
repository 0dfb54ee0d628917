// The texts of the settings, from environment, files and flags.
internal import Glibc

/// What is wrong with the configuration, one sentence.
struct ConfigurationError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The texts that were set.
struct SettingValues: Sendable {
    private var texts: [String: String] = [:]

    /// Reads environment and flags; a flag wins over the environment.
    ///
    /// - Parameters:
    ///   - environment: the whole environment; only `LULL_…` counts.
    ///   - flags: the flags, by their names in the environment.
    /// - Throws: `ConfigurationError` for an unknown name, with the nearest known one.
    init(
        environment: [String: String], flags: [String: String]
    ) throws(ConfigurationError) {
        for (name, value) in environment.sorted(by: { $0.key < $1.key })
        where name.hasPrefix("LULL_") {
            try take(name, value)
        }
        texts.merge(flags) { $1 }
    }

    /// The text of a setting; nil where it is not set.
    func given(_ name: String) -> String? { texts[name] }

    private mutating func take(_ name: String, _ value: String) throws(ConfigurationError) {
        if SettingTable.all.contains(where: { $0.name == name }) {
            guard texts[name] == nil else {
                throw ConfigurationError("\(name) and \(name)_FILE are both set: use one")
            }
            texts[name] = value
        } else if let secret = SettingTable.all.first(where: {
            $0.isSecret && $0.name + "_FILE" == name
        }
        ) {
            guard texts[secret.name] == nil else {
                throw ConfigurationError("\(secret.name) and \(name) are both set: use one")
            }
            texts[secret.name] = try SettingValues.firstLines(of: value, for: name)
        } else {
            let hint =
                Spelling.nearest(name, SettingTable.all.map(\.name), prefix: 5)
                .map { "; did you mean \($0)?" } ?? "; see lull --help"
            throw ConfigurationError("\(name) is not a setting\(hint)")
        }
    }

    /// A secret's file without its final line break.
    private static func firstLines(
        of path: String, for name: String
    ) throws(ConfigurationError) -> String {
        guard let bytes = TextFile.read(path, bytesAtMost: 65_536) else {
            throw ConfigurationError("\(name): the file \(path) cannot be read")
        }
        var text = String(decoding: bytes, as: UTF8.self)
        while text.hasSuffix("\n") || text.hasSuffix("\r") { text.removeLast() }
        return text
    }
}
