/// All commands and all settings of the program.
package struct CommandTable: Sendable {
    /// The commands in the order of help.
    package let commands: [Command]
    /// The settings in the order of help.
    package let settings: [SettingLine]

    /// Creates a table.
    package init(commands: [Command], settings: [SettingLine]) {
        self.commands = commands
        self.settings = settings
    }

    /// Returns the command whose name begins a command line; if several do, the one with more
    /// words.
    package func command(beginning words: [String]) -> Command? {
        let named = commands.filter { words.starts(with: $0.words) }
        if let found = named.max(by: { $0.words.count < $1.words.count }) { return found }
        guard let first = words.first else { return nil }
        return commands.first { $0.aliases.contains(first) }
    }

    /// Returns the commands whose name begins with a word.
    package func group(of word: String) -> [Command] {
        commands.filter { $0.words[0] == word || $0.aliases.contains(word) }
    }

    /// The first words of all names, without aliases.
    package var firstWords: [String] {
        var found: [String] = []
        for command in commands where !found.contains(command.words[0]) {
            found.append(command.words[0])
        }
        return found
    }

    /// Every word that may begin a command line.
    package var knownWords: [String] { firstWords + commands.flatMap(\.aliases) }
}
