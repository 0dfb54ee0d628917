// Pages of the documentation that are generated from the table of commands.

/// Writes docs/commands.md and docs/settings.md.
package struct ReferencePage {
    private let table: CommandTable

    /// Creates the pages of a table.
    package init(_ table: CommandTable) { self.table = table }

    /// The page of all settings.
    package var settings: String {
        var lines = [
            "# Settings", "",
            "<!-- made by `lull man settings`; a test compares them -->", "",
            "A setting is a variable of the environment, a flag of the same name",
            "(`LULL_DATA_DIR`, `--data-dir`), or a line `NAME=VALUE` of the file that",
            "`LULL_CONFIG_FILE` names. A flag wins over the environment, the environment over",
            "the file. In the file, empty lines and lines that begin with `#` are ignored. A",
            "`LULL_` name that does not exist is an error.", "",
            "Where the last column has *file*, `…_FILE` names a file with the value. Settings",
            "with *live* are read again at SIGHUP; a change of any other one is logged and",
            "needs a restart.", "",
            "Durations are `250ms`, `30s`, `5m`, `2h`, `7d` or `1h30m`, sizes `512KiB`, `20M`",
            "or `500GB`.", "", "| Setting | Default | Meaning | |", "|---|---|---|---|",
        ]
        for setting in table.settings {
            let standard = setting.standard.map { "`\($0)`" } ?? ""
            let marks = [setting.isSecret ? "file" : nil, setting.isLive ? "live" : nil]
            let shown = marks.compactMap { $0 }.joined(separator: ", ")
            let help = ReferencePage.cell(setting.help)
            lines.append("| `\(setting.name)` | \(standard) | \(help) | \(shown) |")
        }
        lines += ["", "The client commands read these instead:", "", "| Variable | Meaning |"]
        lines.append("|---|---|")
        for variable in ClientSettings.variables {
            lines.append("| `\(variable.name)` | \(ReferencePage.cell(variable.help)) |")
        }
        return lines.joined(separator: "\n")
    }

    /// The page of all commands.
    package var commands: String {
        var lines = [
            "# Commands", "", "<!-- made by `lull man commands`; a test compares them -->",
        ]
        for group in Command.Group.allCases {
            lines += ["", "## \(group.rawValue.capitalizedFirst)"]
            for command in table.commands where command.group == group {
                lines += section(command)
            }
        }
        lines += ["", "## Times", "", InstantText.grammar, "", "## Exit statuses", ""]
        lines += ["| Status | Meaning |", "|---|---|"]
        for status in ExitStatus.allCases {
            lines.append("| \(status.rawValue) | \(status.meaning) |")
        }
        return lines.joined(separator: "\n")
    }

    private func section(_ command: Command) -> [String] {
        var summary = command.summary.capitalizedFirst + "."
        if !command.aliases.isEmpty {
            summary += " Second name: \(command.aliases.map { "`\($0)`" }.joined(separator: ", "))."
        }
        var lines = [
            "", "### lull \(command.name)", "", summary, "", "```text", command.usage, "```",
        ]
        if !command.options.isEmpty {
            lines += ["", "| Option | |", "|---|---|"]
            for option in command.options {
                lines.append("| `\(option.text)` | \(ReferencePage.cell(option.help)) |")
            }
        }
        if !command.examples.isEmpty {
            lines += ["", "```bash"]
            for example in command.examples {
                lines += ["\(example.line)    # \(example.meaning)"]
            }
            lines.append("```")
        }
        return lines
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
