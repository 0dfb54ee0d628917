// One setting: its name, its default, its parser and its description.

/// A setting, given as `LULL_…` in the environment or as a flag `--…`.
struct Setting<Value: Sendable>: AnySetting {
    let name: String
    let standard: String?
    let isSecret: Bool
    let isLive: Bool
    let help: String
    private let read: @Sendable (String?) throws(ConfigurationError) -> Value

    /// Creates a setting with a default.
    ///
    /// - Parameters:
    ///   - name: the name in the environment.
    ///   - standard: the default, which the parser accepts.
    ///   - help: the line for `--help` and the page of settings.
    ///   - parser: reads a text.
    ///   - isLive: whether SIGHUP takes a new value.
    init(
        _ name: String, _ standard: String, _ help: String, _ parser: SettingParser<Value>,
        isLive: Bool = false
    ) {
        self.name = name
        self.standard = standard
        self.isSecret = false
        self.isLive = isLive
        self.help = help
        read = { text throws(ConfigurationError) in
            try parser.parse(text ?? standard, name)
        }
    }

    /// Creates a setting without a default: nil if it is not set.
    init<Wrapped>(
        _ name: String, isSecret: Bool = false, _ help: String, _ parser: SettingParser<Wrapped>,
        isLive: Bool = false
    ) where Value == Wrapped? {
        self.name = name
        standard = nil
        self.isSecret = isSecret
        self.isLive = isLive
        self.help = help
        read = { text throws(ConfigurationError) in
            guard let text else { return nil }
            return try parser.parse(text, name)
        }
    }

    /// Parses a text, or the default if there is none.
    func value(of text: String?) throws(ConfigurationError) -> Value { try read(text) }

    func anyValue(of text: String?) throws(ConfigurationError) -> any Sendable { try read(text) }
}

/// A setting of any type, for help, `check-config` and the command line.
protocol AnySetting: Sendable {
    /// The name in the environment.
    var name: String { get }
    /// The default; nil for none.
    var standard: String? { get }
    /// Whether the value is a secret: `…_FILE` may name a file that contains it, and it is not
    /// printed.
    var isSecret: Bool { get }
    /// Whether SIGHUP applies a new value; a new value of any other setting is only logged, with
    /// the hint that it needs a restart.
    var isLive: Bool { get }
    /// The line for `--help` and the page of settings.
    var help: String { get }

    /// Parses a text, or the default if there is none.
    ///
    /// - Throws: `ConfigurationError`, which names the setting and what it may be.
    func anyValue(of text: String?) throws(ConfigurationError) -> any Sendable
}

extension AnySetting {
    /// The flag with the same name.
    var flag: String {
        "--" + name.dropFirst(5).lowercased().map { $0 == "_" ? "-" : String($0) }.joined()
    }
}
