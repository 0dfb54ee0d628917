// A command of the program: from the table of commands come the parser of command lines, help,
// completion, the manual page and a page of the documentation.

/// A command: its name, its effect and its arguments.
package struct Command: Sendable {
    /// An option of a command, beside the settings.
    package struct Option: Sendable {
        /// The long name with its two dashes.
        package let name: String
        /// A second name of one dash and one letter.
        package let short: String?
        /// Another long name.
        package let alias: String?
        /// The placeholder of its value in help; nil for a flag without one.
        package let value: String?
        /// The description for help, one line.
        package let help: String
        /// Whether the option is required.
        package let isRequired: Bool
        /// Whether the option may be given more than once.
        package let repeats: Bool

        /// Creates an option.
        package init(
            _ name: String, _ value: String?, _ help: String, short: String? = nil,
            alias: String? = nil, isRequired: Bool = false, repeats: Bool = false
        ) {
            self.name = name
            self.short = short
            self.alias = alias
            self.value = value
            self.help = help
            self.isRequired = isRequired
            self.repeats = repeats
        }

        /// All names of the option, the shortest first.
        package var names: [String] { [short, name, alias].compactMap { $0 } }

        /// The names and the value as help shows them.
        package var text: String {
            names.joined(separator: ", ") + (value.map { " \($0)" } ?? "")
        }
    }

    /// An example: a command line that works, with its effect.
    package struct Example: Sendable {
        /// The command line.
        package let line: String
        /// The effect of the line, without a full stop.
        package let meaning: String

        /// Creates an example.
        package init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }

    /// The place where a command does its work.
    package enum Group: String, Sendable, CaseIterable {
        /// A running service, over its API.
        case client = "downloads, through the API of a running service"
        /// This process: the service itself, its database and its keys.
        case service = "the service on this machine"
        /// No place: the command prints a text about the program.
        case program = "the program"
    }

    /// The words of the command's name: one or two.
    package let words: [String]
    /// Further names of one word.
    package let aliases: [String]
    /// The effect of the command, one line without a full stop.
    package let summary: String
    /// The place where the command does its work.
    package let group: Group
    /// The operands, which follow the options.
    package let operands: [Operand]
    /// The options beside the settings.
    package let options: [Option]
    /// Whether settings may be given as flags.
    package let takesSettings: Bool
    /// The examples for help.
    package let examples: [Example]

    /// Creates a command.
    package init(
        _ name: String, aliases: [String] = [], _ summary: String, group: Group = .service,
        operands: [Operand] = [], options: [Option] = [], takesSettings: Bool = true,
        examples: [Example] = []
    ) {
        words = name.split(separator: " ").map(String.init)
        self.aliases = aliases
        self.summary = summary
        self.group = group
        self.operands = operands
        self.options = options
        self.takesSettings = takesSettings
        self.examples = examples
    }

    /// The command's name, with a space between two words.
    package var name: String { words.joined(separator: " ") }

    /// The usage line, without the word `usage`.
    package var usage: String {
        var text = "lull \(name)"
        for operand in operands { text += " \(operand.text)" }
        let shown = options.filter { $0.isRequired || options.count <= 4 }
        for option in shown {
            let word = option.name + (option.value.map { " \($0)" } ?? "")
            text += option.isRequired ? " \(word)" : " [\(word)]\(option.repeats ? "..." : "")"
        }
        if shown.count < options.count { text += " [OPTION]..." }
        if takesSettings { text += " [--SETTING VALUE]..." }
        return text
    }
}
