// The texts of the settings, from environment, files and flags.
internal import Client

/// An error of the configuration, one sentence.
struct ConfigurationError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The texts of the settings that were set: by flags, by the environment, or by the file of
/// `LULL_CONFIG_FILE`.
struct SettingValues: Sendable {
    private static let fileBytesAtMost = 1 << 20
    private static let fileSetting = "LULL_CONFIG_FILE"

    private var texts: [String: String] = [:]
    /// The settings that only the file sets.
    private var fromFile: Set<String> = []
    /// The files that contain secrets: those named by `…_FILE`, and that of `LULL_CONFIG_FILE` if
    /// it has the value of a secret.
    private(set) var secretFiles: [String] = []

    /// Reads the file, the environment and the flags; a later source takes precedence.
    ///
    /// - Parameters:
    ///   - environment: the whole environment; only `LULL_…` counts.
    ///   - flags: the flags, by their names in the environment.
    /// - Throws: `ConfigurationError` for an unknown name, with the nearest known one.
    init(
        environment: [String: String], flags: [String: String]
    ) throws(ConfigurationError) {
        let file = flags[SettingValues.fileSetting] ?? environment[SettingValues.fileSetting]
        if let file {
            let layer = try SettingValues.lines(of: file)
            texts = layer.texts
            secretFiles = layer.holdsSecret ? [file] : []
            secretFiles += layer.secretFiles
        }
        fromFile = Set(texts.keys)
        let named = environment.filter { $0.key.hasPrefix("LULL_") }
        let layer = try SettingValues.layer(named.map { ($0.key, $0.value) })
        secretFiles += layer.secretFiles
        for source in [layer.texts, flags] {
            texts.merge(source) { $1 }
            fromFile.subtract(source.keys)
        }
    }

    /// The texts of one source.
    private struct Layer {
        var texts: [String: String] = [:]
        /// The files that `…_FILE` names.
        var secretFiles: [String] = []
        /// Whether the source itself contains the value of a secret.
        var holdsSecret = false
    }

    /// The text of a setting; nil where it is not set.
    func given(_ name: String) -> String? { texts[name] }

    /// Whether the value comes from the configuration file.
    func isFromFile(_ name: String) -> Bool { fromFile.contains(name) }

    /// Reads the texts of one source, and the files of secrets that it names.
    private static func layer(
        _ pairs: [(name: String, value: String)]
    ) throws(ConfigurationError) -> Layer {
        var layer = Layer()
        for (name, value) in pairs.sorted(by: { $0.name < $1.name }) {
            // The variables of the client's commands are not settings.
            if ClientSettings.variables.contains(where: { $0.name == name }) { continue }
            let secret = SettingTable.all.first { $0.isSecret && $0.name + "_FILE" == name }
            let isKnown = SettingTable.all.contains { $0.name == name }
            guard isKnown || secret != nil else { throw unknown(name) }
            let own = isKnown ? name : secret?.name ?? name
            guard layer.texts[own] == nil else {
                throw ConfigurationError("\(own) and \(own)_FILE are both set; use only one")
            }
            layer.texts[own] = isKnown ? value : try firstLines(of: value, for: name)
            if !isKnown { layer.secretFiles.append(value) }
            if SettingTable.all.contains(where: { $0.isSecret && $0.name == name }) {
                layer.holdsSecret = true
            }
        }
        return layer
    }

    private static func unknown(_ name: String) -> ConfigurationError {
        let known = SettingTable.all.map(\.name) + ClientSettings.variables.map(\.name)
        let hint =
            Spelling.nearest(name, known, prefix: 5)
            .map { "; did you mean \($0)?" } ?? "; see lull --help"
        return ConfigurationError("\(name) is not a setting\(hint)")
    }

    /// Parses the settings of a file: lines NAME=VALUE, empty lines, and comments behind `#`.
    private static func lines(of path: String) throws(ConfigurationError) -> Layer {
        guard let bytes = TextFile.read(path, bytesAtMost: fileBytesAtMost) else {
            throw ConfigurationError("\(fileSetting): the file \(path) cannot be read")
        }
        var pairs: [(name: String, value: String)] = []
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (number, line) in lines.enumerated() {
            let line = trimmed(line)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let place = "\(fileSetting): \(path) line \(number + 1)"
            guard let equals = line.firstIndex(of: "=") else {
                throw ConfigurationError("\(place) is not NAME=VALUE")
            }
            let name = String(trimmed(line[..<equals]))
            guard name != fileSetting else {
                throw ConfigurationError("\(place): the file cannot name another file")
            }
            // Any other line may be a piece of a secret, so it is not shown.
            guard name.utf8.allSatisfy(isNameByte) else {
                throw ConfigurationError(
                    "\(place): the name of a setting begins with LULL_, as LULL_LISTEN does")
            }
            guard name.hasPrefix("LULL_") else {
                throw ConfigurationError("\(place): \(name) is not a setting")
            }
            guard !pairs.contains(where: { $0.name == name }) else {
                throw ConfigurationError("\(place): \(name) is given more than once")
            }
            pairs.append((name, unquoted(trimmed(line[line.index(after: equals)...]))))
        }
        do throws(ConfigurationError) {
            return try layer(pairs)
        } catch {
            throw ConfigurationError("\(fileSetting): \(path): \(error)")
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" || last == "\r" {
            text.removeLast()
        }
        return text
    }

    /// A value without the quotation marks around it.
    private static func unquoted(_ text: Substring) -> String {
        guard text.count >= 2, let mark = text.first, mark == "\"" || mark == "'",
            text.last == mark
        else { return String(text) }
        return String(text.dropFirst().dropLast())
    }

    /// Reads a file of a secret without its final line break.
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
