// The words of a command line behind the command's name, sorted by kind; pure.

/// The options, settings and operands of a command.
package struct Arguments {
    /// The command.
    package let command: Command
    /// The command's own options in their order, by their long names; a flag has an empty value.
    package private(set) var options: [(name: String, value: String)] = []
    /// The settings that were given as flags, by their names in the environment.
    package private(set) var settings: [String: String] = [:]
    /// The words that are neither options nor settings.
    package private(set) var operands: [String] = []
    private let known: [SettingLine]

    /// Reads `--name value`, `--name=value`, `-n value`, `-nvalue`; behind `--` all are operands.
    ///
    /// - Throws: `UsageError` for what the command does not take.
    package init(
        _ command: Command, _ words: [String], settings: [SettingLine] = []
    ) throws(UsageError) {
        self.command = command
        known = command.takesSettings ? settings : []
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            if !word.hasPrefix("--"), word.count > 2, option(String(word.prefix(2))) != nil {
                try takeShort(word, &rest)
                continue
            }
            let parts = word.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false
            ).map(String.init)
            try take(parts[0], parts.count == 2 ? parts[1] : nil, &rest)
        }
        try checkOperands()
        for option in command.options where option.isRequired && self[option.name].isEmpty {
            throw UsageError("lull \(command.name) needs \(option.name)", command.words)
        }
    }

    /// The values of an option, in their order.
    package subscript(_ name: String) -> [String] {
        options.filter { $0.name == name }.map(\.value)
    }

    /// Whether an option was given.
    package func has(_ name: String) -> Bool { options.contains { $0.name == name } }

    private func checkOperands() throws(UsageError) {
        let needed = command.operands.filter(\.isRequired).count
        let most = command.operands.last?.repeats == true ? Int.max : command.operands.count
        if operands.count > most {
            let word = operands[most]
            // A misplaced address of a database contains a password, and output is often kept.
            let isShown = !word.contains("://") && !word.contains("=")
            throw UsageError(
                "lull \(command.name) takes no "
                    + (isShown ? "\"\(word)\"" : "such argument"), command.words)
        }
        if operands.count < needed {
            let missing = command.operands[operands.count].name
            throw UsageError("lull \(command.name) needs \(missing)", command.words)
        }
    }

    private func option(_ name: String) -> Command.Option? {
        command.options.first { $0.names.contains(name) }
    }

    /// Reads `-nvalue`, or several flags of one letter together.
    private mutating func takeShort(
        _ word: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        let (name, behind) = (String(word.prefix(2)), String(word.dropFirst(2)))
        if option(name)?.value == nil {
            try take(name, nil, &rest)
            rest = ["-" + behind] + rest
        } else {
            try take(name, behind, &rest)
        }
    }

    private mutating func take(
        _ name: String, _ attached: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        let own = option(name)
        let setting = known.first { $0.flag == name }
        guard own != nil || setting != nil else {
            let names = command.options.flatMap(\.names) + known.map(\.flag)
            throw UsageError(
                "lull \(command.name) does not have the flag \(name)\(Spelling.hint(name, names))",
                command.words)
        }
        if let own, own.value == nil {
            guard attached == nil else {
                throw UsageError("\(name) takes no value", command.words)
            }
            options.append((own.name, ""))
            return
        }
        // A word that looks like the next flag is a flag: a value that begins like one is written
        // behind `=`.
        let value = attached ?? (rest.first?.hasPrefix("--") == true ? nil : rest.popFirst())
        guard let value, !value.isEmpty else {
            throw UsageError("\(name) needs a value", command.words)
        }
        if let own {
            guard own.repeats || self[own.name].isEmpty else {
                throw UsageError("\(name) is given more than once", command.words)
            }
            options.append((own.name, value))
        } else if let setting {
            settings[setting.name] = value
        }
    }
}
