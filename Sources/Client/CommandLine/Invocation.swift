// Parsing the command line before anything is opened; pure.

/// The action that a command line asks for.
package enum Invocation {
    /// Print a text and end.
    case say(String)
    /// Run a command.
    case perform(Arguments)

    /// Reads the arguments of the program.
    ///
    /// - Parameters:
    ///   - words: without the name of the program.
    ///   - table: what the program knows.
    ///   - version: the line of `--version`.
    /// - Throws: `UsageError` for what no command takes, with the nearest word that one does.
    package init(
        _ words: [String], _ table: CommandTable, version: String
    ) throws(UsageError) {
        let help = HelpText(table)
        guard let first = words.first else {
            self = .say(help.text)
            return
        }
        if first == "help" {
            let rest = words.dropFirst().filter { $0 != "--help" && $0 != "-h" }
            let asked = rest.isEmpty && words.count > 1 ? ["help"] : rest
            self = .say(try help.text(of: asked))
        } else if first == "-h" || first == "--help" {
            self = .say(help.text)
        } else if first == "-V" || first == "--version" {
            self = .say(version)
        } else if first.hasPrefix("-") {
            throw UsageError("\(first) is not a command; begin with a command, such as lull serve")
        } else {
            try self.init(command: words, table, version: version)
        }
    }

    private init(
        command words: [String], _ table: CommandTable, version: String
    ) throws(UsageError) {
        let group = table.group(of: words[0])
        guard !group.isEmpty else {
            throw UsageError(
                "\(words[0]) is not a command\(Spelling.hint(words[0], table.knownWords))")
        }
        let help = HelpText(table)
        // A word behind `--` is no option.
        let options = words.prefix { $0 != "--" }
        // --help takes precedence over everything else on the line.
        let asksForHelp = options.contains("--help") || options.contains("-h")
        guard let command = table.command(beginning: words) else {
            guard !asksForHelp else {
                self = .say(try help.text(of: [words[0]]))
                return
            }
            let second = group.map { $0.words[1] }
            guard let word = words.dropFirst().first, !word.hasPrefix("-") else {
                throw UsageError(
                    "lull \(words[0]) needs a second word: "
                        + "\(second.joined(separator: ", "))", [words[0]])
            }
            throw UsageError(
                "lull \(words[0]) \(word) is not a command\(Spelling.hint(word, second))",
                [words[0]])
        }
        let isNamed = words.starts(with: command.words)
        let rest = Array(words.dropFirst(isNamed ? command.words.count : 1))
        if asksForHelp {
            self = .say(help.text(of: command))
        } else if options.contains("--version") || options.contains("-V")
            || command.name == "version"
        {
            self = .say(version)
        } else {
            self = .perform(try Arguments(command, rest, settings: table.settings))
        }
    }
}
