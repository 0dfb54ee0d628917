// Shell completion of command lines, from the table of commands.

/// Scripts that complete words of `lull` in a shell.
package struct CompletionScript {
    /// The supported shells.
    package static let shells = ["bash", "zsh", "fish"]

    private let table: CommandTable

    /// Creates the scripts of a table.
    package init(_ table: CommandTable) { self.table = table }

    /// Returns the script of a shell; nil for an unsupported one.
    package func text(for shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: nil
        }
    }

    /// Each beginning of a command line with the words that may follow it: second words of names,
    /// and options.
    private var branches: [(name: String, words: [String])] {
        var found: [(name: String, words: [String])] = []
        for word in table.firstWords {
            let group = table.group(of: word)
            let second = group.filter { $0.words.count > 1 }.map { $0.words[1] }
            let first = group.first { $0.words.count == 1 }
            found.append((word, second + (first.map { options(of: $0) } ?? ["--help"])))
        }
        for command in table.commands {
            if command.words.count > 1 { found.append((command.name, options(of: command))) }
            for alias in command.aliases { found.append((alias, options(of: command))) }
        }
        return found
    }

    private func options(of command: Command) -> [String] {
        var words = command.options.flatMap(\.names) + ["--help"]
        if command.takesSettings { words += table.settings.map(\.flag) }
        if command.name == "completion" { words += CompletionScript.shells }
        return words
    }

    /// The options whose value is a file.
    private var fileOptions: [String] {
        Set(table.commands.flatMap(\.options).filter { $0.value == "FILE" }.flatMap(\.names))
            .sorted()
    }

    /// The states of downloads, which complete `--state`.
    private static let states =
        "suspended waiting running canceling attention_required succeeded failed canceled"

    /// The command line that prints names of sessions.
    private static let sessions = "lull sessions -q 2>/dev/null"

    /// The command line that prints names of sources.
    private static let sources = "lull sources -q 2>/dev/null"

    /// The groups of commands about a thing that exists, and the command line that prints names.
    private static let named: [(group: String, names: String)] = [
        ("sessions", sessions), ("sources", sources),
    ]

    /// The options whose value is a name that the service knows.
    private static let namedOptions: [(option: String, names: String)] = [
        ("--session", sessions), ("--source", sources),
    ]

    /// The command line that prints the values of an option; nil for other options.
    private static func names(for option: String) -> String? {
        namedOptions.first { $0.option == option }?.names
    }

    /// The command line that prints identifiers of downloads, the newest first.
    private static let identifiers = "lull list -q 2>/dev/null"

    /// The first words of commands about downloads that an operand names.
    private var verbsOfDownloads: [String] {
        table.commands.filter { command in
            command.words.count == 1 && command.group == .client
                && command.operands.contains { $0.name == "ID" }
        }.flatMap { [$0.name] + $0.aliases }
    }

    /// The second words of commands about a thing that exists.
    private func secondWords(of group: String) -> [String] {
        table.commands.filter { $0.words.count > 1 && $0.words[0] == group }.map { $0.words[1] }
    }

    private var bash: String {
        var lines = [
            "# bash completion of lull; lull completion bash makes it", "_lull() {",
            "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words",
            "    case $before in \(fileOptions.joined(separator: "|")))",
            "        COMPREPLY=($(compgen -f -- \"$word\")); return ;;",
            "    --state) COMPREPLY=($(compgen -W \"\(CompletionScript.states)\" -- \"$word\"))",
            "        return ;;",
        ]
        for (option, names) in CompletionScript.namedOptions {
            lines.append(
                "    \(option)) COMPREPLY=($(compgen -W \"$(\(names))\" -- \"$word\")); return ;;")
        }
        lines += ["    esac", "    case \"${COMP_WORDS[1]} ${COMP_WORDS[2]}\" in"]
        for branch in branches where branch.name.contains(" ") {
            lines.append(
                "    \"\(branch.name)\") words=\"\(branch.words.joined(separator: " "))\" ;;")
        }
        lines += ["    *) case ${COMP_WORDS[1]} in"]
        for branch in branches where !branch.name.contains(" ") {
            let words = branch.words.joined(separator: " ")
            lines.append("        \(branch.name)) words=\"\(words)\" ;;")
        }
        lines += [
            "        esac ;;", "    esac",
            "    case \"$word ${COMP_WORDS[1]} ${COMP_WORDS[2]}\" in -*) ;;",
        ]
        for (group, names) in CompletionScript.named {
            lines += [
                "    \(bashPattern(group)))", "        words=\"$words $(\(names))\" ;;",
            ]
        }
        lines += [
            "    *) case ${COMP_WORDS[1]} in \(verbsOfDownloads.joined(separator: "|")))",
            "        words=\"$words $(\(CompletionScript.identifiers))\" ;; esac ;; esac",
            "    if [ \"$COMP_CWORD\" = 1 ]; then "
                + "words=\"\(table.knownWords.joined(separator: " ")) --help --version\"; fi",
            "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))", "}",
            "complete -o default -F _lull lull",
        ]
        return lines.joined(separator: "\n")
    }

    /// The patterns of lines with a verb of a group, behind the word that is completed.
    private func bashPattern(_ group: String) -> String {
        secondWords(of: group).map { "*' \(group) \($0)'" }.joined(separator: "|")
    }

    private var zsh: String {
        var lines = [
            "#compdef lull", "# zsh completion of lull; lull completion zsh makes it", "_lull() {",
            "    local -a choices", "    if (( CURRENT == 2 )); then", "        choices=(",
        ]
        for word in table.knownWords {
            let summary = table.group(of: word).first { $0.words.count == 1 }?.summary ?? ""
            lines.append("            '\(word):\(CompletionScript.quoted(summary))'")
        }
        lines += [
            "        )", "        _describe command choices; return", "    fi",
            "    case \"$words[2] $words[3]\" in",
        ]
        for branch in branches where branch.name.contains(" ") {
            let words = branch.words.joined(separator: " ")
            lines.append("    '\(branch.name)') choices=(\(words)) ;;")
        }
        lines.append("    *) case $words[2] in")
        for branch in branches where !branch.name.contains(" ") {
            let words = branch.words.joined(separator: " ")
            lines.append("        \(branch.name)) choices=(\(words)) ;;")
        }
        lines += [
            "        esac ;;", "    esac", "    case $words[CURRENT-1] in",
            "    --state) choices=(\(CompletionScript.states)) ;;",
        ]
        for (option, names) in CompletionScript.namedOptions {
            lines.append("    \(option)) choices=(${(f)\"$(\(names))\"}) ;;")
        }
        lines += [
            "    *) case $words[2] in \(verbsOfDownloads.joined(separator: "|")))",
            "        choices+=(${(f)\"$(\(CompletionScript.identifiers))\"}) ;;",
        ]
        for (group, names) in CompletionScript.named {
            lines.append(
                "    \(group)) (( CURRENT > 3 )) && choices+=(${(f)\"$(\(names))\"}) ;;")
        }
        lines += [
            "    esac ;; esac", "    compadd -- $choices", "    _files", "}",
            "compdef _lull lull",
        ]
        return lines.joined(separator: "\n")
    }

    private var fish: String {
        var lines = [
            "# fish completion of lull; lull completion fish makes it", "complete -c lull -f",
        ]
        for word in table.knownWords {
            let summary = table.group(of: word).first { $0.words.count == 1 }?.summary ?? ""
            lines.append(
                "complete -c lull -n __fish_use_subcommand -a \(word) "
                    + "-d '\(CompletionScript.quoted(summary))'")
        }
        for command in table.commands {
            let names = [command.words[0]] + command.aliases
            let first = "__fish_seen_subcommand_from \(names.joined(separator: " "))"
            if command.words.count > 1 {
                lines.append(
                    "complete -c lull -n '\(first)' -a \(command.words[1]) "
                        + "-d '\(CompletionScript.quoted(command.summary))'")
            }
            let scope =
                command.words.count > 1
                ? "\(first); and __fish_seen_subcommand_from \(command.words[1])" : first
            for option in command.options {
                var line = "complete -c lull -n '\(scope)' -l \(option.name.dropFirst(2))"
                if let short = option.short { line += " -s \(short.dropFirst())" }
                if option.name == "--state" {
                    line += " -x -a '\(CompletionScript.states)'"
                } else if let names = CompletionScript.names(for: option.name) {
                    line += " -x -a '(\(names))'"
                } else if option.value == "FILE" {
                    line += " -r -F"
                } else if option.value != nil {
                    line += " -x"
                }
                lines.append(line + " -d '\(CompletionScript.quoted(option.help))'")
            }
        }
        let verbs = verbsOfDownloads.joined(separator: " ")
        lines.append(
            "complete -c lull -n '__fish_seen_subcommand_from \(verbs)' -a "
                + "'(\(CompletionScript.identifiers))'")
        for (group, names) in CompletionScript.named {
            let second = secondWords(of: group).joined(separator: " ")
            lines.append(
                "complete -c lull -n '__fish_seen_subcommand_from \(group); and "
                    + "__fish_seen_subcommand_from \(second)' -a '(\(names))'")
        }
        lines.append(
            "complete -c lull -n '__fish_seen_subcommand_from completion' -a '"
                + CompletionScript.shells.joined(separator: " ") + "'")
        return lines.joined(separator: "\n")
    }

    /// A text in single quotes.
    private static func quoted(_ text: String) -> String {
        text.replacing("'", with: "’").replacing(":", with: " -")
    }
}
