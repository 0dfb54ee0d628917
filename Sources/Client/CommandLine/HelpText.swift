/// The texts of `--help`.
package struct HelpText {
    private let table: CommandTable

    /// Creates the help of a table.
    package init(_ table: CommandTable) { self.table = table }

    /// The help of the program: the commands and every setting.
    package var text: String {
        var lines = [
            "lull: runs downloads in the background of your servers", "",
            "usage: lull COMMAND [--flag value]...",
        ]
        for group in Command.Group.allCases {
            let rows = table.commands.filter { $0.group == group }
            guard !rows.isEmpty else { continue }
            lines += ["", group.rawValue]
            lines += HelpText.columns(rows.map { ($0.name, HelpText.summary($0)) })
        }
        lines += [
            "",
            "lull COMMAND --help shows the options of a command. Exit status 0: done, 1: failed,",
            "2: wrong usage or configuration; lull man lists the others.", "",
            "settings: as flags of the commands on this machine, or as variables; a secret can be",
            "in a file that …_FILE names",
        ]
        for setting in table.settings {
            lines.append("  \(setting.flag), \(setting.name)")
            let standard = setting.standard.map { " (\($0))" } ?? ""
            lines.append("      \(setting.help)\(standard)")
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the help of a command, or of the commands that begin with a word.
    ///
    /// - Throws: `UsageError` if there is none of that name.
    package func text(of words: [String]) throws(UsageError) -> String {
        guard let first = words.first else { return text }
        if let command = table.command(beginning: words), command.words.count == words.count {
            return text(of: command)
        }
        let named = table.commands.filter { $0.words.starts(with: words) }
        guard !named.isEmpty else {
            let known = table.knownWords + table.commands.map(\.name)
            let name = words.joined(separator: " ")
            throw UsageError("\(name) is not a command\(Spelling.hint(name, known))")
        }
        let lines = ["usage: lull \(first) COMMAND", "", "commands"]
        return (lines + HelpText.columns(named.map { ($0.name, $0.summary) }))
            .joined(separator: "\n")
    }

    /// Returns the help of a command: its usage, operands, options and examples.
    package func text(of command: Command) -> String {
        var usage = "usage: \(command.usage)"
        if command.name == "help" { usage += " [COMMAND]" }
        var lines = ["lull \(command.name): \(HelpText.summary(command))", "", usage]
        if !command.options.isEmpty {
            lines += ["", "options"]
            lines += HelpText.columns(command.options.map { ($0.text, $0.help) })
        }
        if !command.examples.isEmpty {
            lines += ["", "examples"]
            for example in command.examples {
                lines += ["  \(example.line)", "      \(example.meaning)"]
            }
        }
        let others = table.commands.filter {
            $0.words.count > 1 && command.words.count == 1 && $0.words[0] == command.words[0]
        }
        if !others.isEmpty {
            lines += ["", "commands"] + HelpText.columns(others.map { ($0.name, $0.summary) })
        }
        if command.takesSettings {
            lines += [
                "", "Settings are given as flags or as LULL_ variables; lull --help lists them.",
            ]
        }
        return lines.joined(separator: "\n")
    }

    private static func summary(_ command: Command) -> String {
        guard !command.aliases.isEmpty else { return command.summary }
        return command.summary + "; also \(command.aliases.joined(separator: ", "))"
    }

    private static func columns(_ rows: [(name: String, text: String)]) -> [String] {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { name, text in
            "  " + name + String(repeating: " ", count: width - name.count) + "  " + text
        }
    }
}
