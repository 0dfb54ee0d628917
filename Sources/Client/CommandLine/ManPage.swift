// The manual page lull.1, from the table of commands; mdoc(7).

/// Writes the manual page.
package struct ManPage {
    private let table: CommandTable
    private let version: String

    /// Creates the page of a table.
    package init(_ table: CommandTable, version: String) {
        self.table = table
        self.version = version
    }

    /// The source of the page.
    package var text: String {
        var lines = [
            ".Dd $Mdocdate$", ".Dt LULL 1", ".Os \(version)", ".Sh NAME", ".Nm lull",
            ".Nd runs downloads in the background of your servers", ".Sh SYNOPSIS", ".Nm",
            ".Ar command", ".Op Ar argument ...", ".Sh DESCRIPTION",
            ManPage.plain(
                "A service that downloads files for other programs, when the rules of its policy "
                    + "allow it, and a client for that service. Data goes to standard output, "
                    + "messages and progress to standard error."),
        ]
        for group in Command.Group.allCases {
            lines.append(".Ss " + ManPage.argument(group.rawValue.capitalizedFirst))
            lines.append(".Bl -tag -width Ds")
            for command in table.commands where command.group == group {
                lines += entry(command)
            }
            lines.append(".El")
        }
        lines += [
            ".Sh TIMES",
            ManPage.plain(InstantText.grammar), ".Sh ENVIRONMENT", ".Bl -tag -width Ds",
        ]
        for variable in ClientSettings.variables {
            lines += [".It Ev \(variable.name)", ManPage.plain(variable.help)]
        }
        for setting in table.settings {
            lines.append(".It Ev \(setting.name)")
            var text = setting.help
            if let standard = setting.standard { text += " (\(standard))" }
            lines.append(ManPage.plain(text))
        }
        lines += [".El", ".Sh EXIT STATUS", ".Bl -tag -width Ds"]
        for status in ExitStatus.allCases {
            lines += [".It \(status.rawValue)", ManPage.plain(status.meaning)]
        }
        lines += [".El"]
        return lines.joined(separator: "\n")
    }

    private func entry(_ command: Command) -> [String] {
        var lines = [".It Ic " + ManPage.argument(command.usage)]
        var summary = command.summary.capitalizedFirst + "."
        if !command.aliases.isEmpty {
            summary += " Second name: \(command.aliases.joined(separator: ", "))."
        }
        lines.append(ManPage.plain(summary))
        if !command.options.isEmpty {
            lines.append(".Bl -tag -width Ds -compact")
            for option in command.options {
                lines += [".It " + ManPage.argument(option.text), ManPage.plain(option.help)]
            }
            lines.append(".El")
        }
        for example in command.examples {
            lines += [".Dl " + ManPage.argument(example.line)]
        }
        return lines
    }

    /// Escapes a text for roff(7): a zero-width space precedes each word that would be a macro or
    /// begins like a control line.
    static func plain(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "\"": escaped += "\\(dq"
            // Terminals without UTF-8 have no glyph for an ellipsis.
            case "…": escaped += "..."
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let name = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
                escaped += scalar.isASCII ? String(scalar) : "\\[u\(name)]"
            }
        }
        return escaped.split(separator: " ").map { word in
            let isMacro = word.utf8.count <= 3 && word.first?.isUppercase == true
            let isRequest = word.hasPrefix(".") || word.hasPrefix("'")
            return isMacro || isRequest ? "\\&" + word : String(word)
        }.joined(separator: " ")
    }
}

extension ManPage {
    /// A text as one argument of a macro.
    fileprivate static func argument(_ text: String) -> String { "\"\(plain(text))\"" }
}

extension String {
    /// The text with its first letter as a capital.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
