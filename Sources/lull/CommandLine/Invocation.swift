// The command line, read before anything is opened; pure.

/// A command line that cannot be followed, one sentence; exit status 2.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    /// Says what is wrong, and where help is.
    init(_ sentence: String, _ command: [String] = []) {
        let name = (["lull"] + command).joined(separator: " ")
        description = sentence + (sentence.hasSuffix("?") ? " See" : "; see") + " \(name) --help"
    }
}

/// What to do for a command line.
enum Invocation {
    /// Print a text and end.
    case say(String)
    /// Print openapi.yaml.
    case openAPI
    /// Perform a command.
    case perform(Arguments)

    /// Reads the arguments of the program.
    ///
    /// - Throws: `UsageError` for what no command takes, with the nearest word that one does.
    init(_ words: [String]) throws(UsageError) {
        guard let first = words.first else {
            self = .say(Help.text)
            return
        }
        if first == "help" {
            let rest = words.dropFirst().filter { $0 != "--help" && $0 != "-h" }
            let asked = rest.isEmpty && words.count > 1 ? ["help"] : rest
            self = .say(try Help.text(of: asked))
        } else if first == "-h" || first == "--help" {
            self = .say(Help.text)
        } else if first == "-V" || first == "--version" {
            self = .say(Version.line)
        } else if first.hasPrefix("-") {
            throw UsageError("\(first) is not a command; begin with one, such as lull serve")
        } else {
            try self.init(command: words)
        }
    }

    private init(command words: [String]) throws(UsageError) {
        let group = Command.all.filter { $0.words[0] == words[0] }
        guard !group.isEmpty else {
            let known = Set(Command.all.map { $0.words[0] })
            throw UsageError("\(words[0]) is not a command\(Spelling.hint(words[0], known))")
        }
        // --help counts before everything else on the line.
        let asksForHelp = words.contains("--help") || words.contains("-h")
        guard let command = group.first(where: { words.starts(with: $0.words) }) else {
            guard !asksForHelp else {
                self = .say(try Help.text(of: [words[0]]))
                return
            }
            let second = group.map { $0.words[1] }
            guard let word = words.dropFirst().first, !word.hasPrefix("-") else {
                throw UsageError(
                    "lull \(words[0]) needs one of \(second.joined(separator: ", "))", [words[0]])
            }
            throw UsageError(
                "lull \(words[0]) \(word) is not a command\(Spelling.hint(word, second))",
                [words[0]])
        }
        let rest = Array(words.dropFirst(command.words.count))
        if asksForHelp {
            self = .say(Help.text(of: command))
        } else if rest.contains("--version") || rest.contains("-V") || command.name == "version" {
            self = .say(Version.line)
        } else {
            let arguments = try Arguments(command, rest)
            self = command.name == "openapi" ? .openAPI : .perform(arguments)
        }
    }
}

/// The arguments of a command, by kind.
struct Arguments {
    /// The command.
    let command: Command
    /// Its own options in their order; a flag has an empty value.
    private(set) var options: [(name: String, value: String)] = []
    /// Settings that were given as flags, by their names in the environment.
    private(set) var settings: [String: String] = [:]
    /// What is neither.
    private(set) var operands: [String] = []

    /// Reads `--name value` and `--name=value`.
    init(_ command: Command, _ words: [String]) throws(UsageError) {
        self.command = command
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false
            ).map(String.init)
            try take(parts[0], parts.count == 2 ? parts[1] : nil, &rest)
        }
        if operands.count > command.operands.count {
            let extra = operands[command.operands.count]
            throw UsageError("lull \(command.name) takes no \"\(extra)\"", command.words)
        }
        if operands.count < command.operands.count {
            let missing = command.operands[operands.count]
            throw UsageError("lull \(command.name) needs \(missing)", command.words)
        }
        for option in command.options where option.isRequired && self[option.name].isEmpty {
            throw UsageError("lull \(command.name) needs \(option.name)", command.words)
        }
    }

    /// The values of an option.
    subscript(_ name: String) -> [String] { options.filter { $0.name == name }.map(\.value) }

    private mutating func take(
        _ name: String, _ attached: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        let own = command.options.first { $0.name == name }
        let setting = command.takesSettings ? SettingTable.all.first { $0.flag == name } : nil
        guard own != nil || setting != nil else {
            let known =
                command.options.map(\.name)
                + (command.takesSettings ? SettingTable.all.map(\.flag) : [])
            throw UsageError(
                "\(name) is not a flag of lull \(command.name)\(Spelling.hint(name, known))",
                command.words)
        }
        if let own, own.value == nil {
            guard attached == nil else {
                throw UsageError("\(name) takes no value", command.words)
            }
            options.append((name, ""))
            return
        }
        // What looks like the next flag is one: a value such as that is written behind `=`.
        let value = attached ?? (rest.first?.hasPrefix("--") == true ? nil : rest.popFirst())
        guard let value, !value.isEmpty else {
            throw UsageError("\(name) needs a value", command.words)
        }
        if let own {
            guard own.repeats || self[name].isEmpty else {
                throw UsageError("\(name) is repeated", command.words)
            }
            options.append((name, value))
        } else if let setting {
            settings[setting.name] = value
        }
    }
}
