// The texts of `--help` and `--version`.
internal import API

/// The texts of help.
enum Help {
    /// The commands and every setting.
    static var text: String {
        var lines = [
            "lull: runs downloads in the background of your servers", "",
            "usage: lull COMMAND [--flag value]...", "", "commands",
        ]
        lines += table(Command.all.map { ($0.name, $0.summary) })
        lines += [
            "", "lull COMMAND --help says what a command takes. Exit status 0: done, 1: failed,",
            "2: wrong usage or configuration.", "",
            "settings: a flag of the commands that use the service, or the environment; …_FILE",
            "names a file for secrets",
        ]
        for setting in SettingTable.all {
            lines.append("  \(setting.flag), \(setting.name)")
            let standard = setting.standard.map { " (\($0))" } ?? ""
            lines.append("      \(setting.help)\(standard)")
        }
        return lines.joined(separator: "\n")
    }

    /// What a command takes, or the commands that begin with a word.
    ///
    /// - Throws: `UsageError` if there is none of that name.
    static func text(of words: [String]) throws(UsageError) -> String {
        guard let first = words.first else { return text }
        let named = Command.all.filter { $0.words.starts(with: words) }
        guard !named.isEmpty else {
            let known = Command.all.flatMap { [$0.words[0], $0.name] }
            let name = words.joined(separator: " ")
            throw UsageError("\(name) is not a command\(Spelling.hint(name, known))")
        }
        if named.count == 1 { return text(of: named[0]) }
        let lines = ["usage: lull \(first) COMMAND", "", "commands"]
        return (lines + table(named.map { ($0.name, $0.summary) })).joined(separator: "\n")
    }

    /// What a command takes.
    static func text(of command: Command) -> String {
        var usage = "usage: lull \(command.name)"
        for operand in command.operands { usage += " \(operand)" }
        for option in command.options {
            let word = option.name + (option.value.map { " \($0)" } ?? "")
            usage += option.isRequired ? " \(word)" : " [\(word)]\(option.repeats ? "..." : "")"
        }
        if command.takesSettings { usage += " [--SETTING VALUE]..." }
        if command.name == "help" { usage += " [COMMAND]" }
        var lines = ["lull \(command.name): \(command.summary)", "", usage]
        if !command.options.isEmpty {
            lines += ["", "options"]
            lines += table(
                command.options.map { option in
                    (option.name + (option.value.map { " \($0)" } ?? ""), option.help)
                })
        }
        if command.takesSettings {
            lines += ["", "Settings are flags or LULL_ variables; lull --help lists them."]
        }
        return lines.joined(separator: "\n")
    }

    /// The description of the API that this program serves.
    static var openAPI: String { String(decoding: APIDescription.bytes, as: UTF8.self) }

    private static func table(_ rows: [(name: String, text: String)]) -> [String] {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { name, text in
            "  " + name + String(repeating: " ", count: width - name.count) + "  " + text
        }
    }
}

/// The program's version.
enum Version {
    static let text = "0.1.0"

    /// The line of `lull --version`.
    static var line: String { "lull \(text)" }
}
