// A row of the table of commands, from which the command line is read, and help, completion,
// the manual page and the page of the documentation are made.

/// One command: its name, what it does and what it takes.
package struct Command: Sendable {
    /// An option of a command's own, beside the settings.
    package struct Option: Sendable {
        /// With its two dashes.
        package let name: String
        /// A second name of one dash and one letter.
        package let short: String?
        /// Another long name.
        package let alias: String?
        /// The placeholder of its value in help; nil for a flag without one.
        package let value: String?
        /// One line for help.
        package let help: String
        /// Whether the command needs it.
        package let isRequired: Bool
        /// Whether it may be given more than once.
        package let repeats: Bool

        /// Describes an option.
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

        /// All names, the shortest first.
        package var names: [String] { [short, name, alias].compactMap { $0 } }

        /// Names and value as help shows them.
        package var text: String {
            names.joined(separator: ", ") + (value.map { " \($0)" } ?? "")
        }
    }

    /// A line that works, and what it does.
    package struct Example: Sendable {
        /// What is typed.
        package let line: String
        /// What it does, without a full stop.
        package let meaning: String

        /// Describes an example.
        package init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }

    /// Where a command does its work.
    package enum Group: String, Sendable, CaseIterable {
        /// In a running service, over its API.
        case client = "downloads, over the API of a running service"
        /// In this process: the service itself, its database and its keys.
        case service = "the service on this machine"
        /// Nowhere: texts about the program.
        case program = "the program"
    }

    /// The words of its name: one or two.
    package let words: [String]
    /// Further names of one word.
    package let aliases: [String]
    /// What it does, one line without a full stop.
    package let summary: String
    /// Where it does so.
    package let group: Group
    /// What follows the options.
    package let operands: [Operand]
    /// What it takes beside the settings.
    package let options: [Option]
    /// Whether settings may be given as flags.
    package let takesSettings: Bool
    /// Lines that show it.
    package let examples: [Example]

    /// Describes a command.
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

    /// Its name, with a space between two words.
    package var name: String { words.joined(separator: " ") }

    /// `usage: …` without the word.
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
