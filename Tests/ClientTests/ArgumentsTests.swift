// The command line of every command, and the texts that are made from the table.
import Client
import Testing

@Suite struct ArgumentsTests {
    private static let table = CommandTable(
        commands: Command.client + [
            Command("serve", "serve"),
            Command("policy check", "check", operands: [Operand("FILE")]),
        ],
        settings: [
            SettingLine(
                name: "LULL_LISTEN", flag: "--listen", standard: "127.0.0.1:8080", help: "where",
                isSecret: false, isLive: false)
        ])

    /// Reads a line as a shell does: a word in single quotes keeps its spaces.
    private static func arguments(_ line: String) throws -> Arguments {
        let words = line.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .flatMap { place, part in
                place % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
            }
        guard case .perform(let arguments) = try Invocation(words, table, version: "lull 0")
        else {
            throw UsageError("a text is printed")
        }
        return arguments
    }

    static let lines: [(line: String, name: String, operands: [String], options: [String])] = [
        ("get u -o f", "get", ["u"], ["--output=f"]),
        ("get -of u", "get", ["u"], ["--output=f"]),
        ("get --output=f u", "get", ["u"], ["--output=f"]),
        ("get u --at 22:00", "get", ["u"], ["--after=22:00"]),
        ("get u --data=--x", "get", ["u"], ["--data=--x"]),
        ("add u -d -x", "add", ["u"], ["--data=-x"]),
        ("get u -d -x", "get", ["u"], ["--directory=-x"]),
        ("add -qn a b", "add", ["a", "b"], ["--quiet=", "--dry-run="]),
        ("add -qni list", "add", [], ["--quiet=", "--dry-run=", "--input=list"]),
        ("add -i - a", "add", ["a"], ["--input=-"]),
        ("add -- -a --b", "add", ["-a", "--b"], []),
        ("add a -- --help", "add", ["a", "--help"], []),
        ("add a -H x:1 -H y:2", "add", ["a"], ["--header=x:1", "--header=y:2"]),
        ("ls", "list", [], []),
        ("pause a", "suspend", ["a"], []),
        ("sessions", "sessions", [], []),
        ("sessions show a", "sessions show", ["a"], []),
        ("sessions set a b=1 c=2", "sessions set", ["a", "b=1", "c=2"], []),
        ("policy check f", "policy check", ["f"], []),
        ("policy try f", "policy try", ["f"], []),
        ("webhooks", "webhooks", [], []),
        ("webhooks secret", "webhooks secret", [], []),
        ("events -f", "events", [], ["--follow="]),
    ]

    @Test(arguments: lines)
    func readsLines(
        _ given: (line: String, name: String, operands: [String], options: [String])
    ) throws {
        let found = try Self.arguments(given.line)
        #expect(found.command.name == given.name)
        #expect(found.operands == given.operands)
        #expect(found.options.map { "\($0.name)=\($0.value)" } == given.options)
    }

    @Test(arguments: [
        ("show", "needs ID"), ("get a -o", "-o needs a value"),
        ("get a -o --json", "-o needs a value"),
        ("get a -o x -o y", "-o is given more than once"),
        ("get a --after 1 --at 2", "--at is given more than once"),
        ("get a --outptu x", "--output?"), ("get a -Z", "does not have the flag -Z"),
        ("get a --json=1", "takes no value"),
        ("get a --listen x", "lull get does not have the flag"), ("gett a", "did you mean get?"),
        ("lst", "did you mean list?"), ("show", "needs ID"), ("sessions show", "needs NAME"),
        ("sessions set a", "needs MEMBER=VALUE"), ("policy", "needs a second word"),
        ("policy chek", "did you mean check?"), ("cat", "needs ID"), ("cat a b", "takes no \"b\""),
    ])
    func refusesLines(line: String, words: String) {
        let failure = #expect(throws: UsageError.self) { try Self.arguments(line) }
        #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
    }

    /// Names and options of a command are listed once, and everything in the help can be typed.
    @Test func theTableIsSound() throws {
        var names: Set<String> = []
        for command in Self.table.commands {
            for name in [command.name] + command.aliases {
                #expect(names.insert(name).inserted, "\(name)")
            }
            let options = command.options.flatMap(\.names)
            #expect(Set(options).count == options.count, "\(command.name)")
            #expect(!command.summary.hasSuffix("."), "\(command.name)")
            #expect(command.operands.dropLast().allSatisfy { !$0.repeats }, "\(command.name)")
            for option in command.options {
                let line =
                    command.words + (option.value == nil ? [option.name] : ["\(option.name)=1"])
                let operands = command.operands.filter(\.isRequired).map { _ in "x" }
                guard
                    case .perform(let arguments) = try Invocation(
                        line + operands, Self.table, version: "")
                else {
                    Issue.record("\(line) prints a text")
                    continue
                }
                #expect(arguments.has(option.name))
            }
        }
        #expect(Command.client.allSatisfy { !$0.examples.isEmpty && $0.group == .client })
    }

    /// Each example in the help is a line that its command accepts.
    @Test func examplesAreLinesThatAreTaken() throws {
        for command in Command.client {
            for example in command.examples {
                let line = example.line.prefix { $0 != "|" && $0 != "&" && $0 != ">" }
                #expect(line.hasPrefix("lull "), "\(example.line)")
                let found = try Self.arguments(String(line.dropFirst(5)))
                #expect(found.command.name == command.name, "\(example.line)")
            }
        }
    }

    @Test func everyTextNamesEveryCommandAndOption() throws {
        let help = HelpText(Self.table).text
        let page = ReferencePage(Self.table)
        let man = ManPage(Self.table, version: "lull 0").text.replacing("\\-", with: "-")
            .replacing("\\&", with: "")
        for command in Self.table.commands {
            #expect(help.contains("  \(command.name)"), "\(command.name)")
            #expect(page.commands.contains("### lull \(command.name)\n"), "\(command.name)")
            #expect(man.contains("lull \(command.name)"), "\(command.name)")
            for option in command.options {
                #expect(man.contains(option.text), "\(command.name) \(option.name)")
                #expect(page.commands.contains("`\(option.text)`"))
            }
            for shell in CompletionScript.shells {
                let script = try #require(CompletionScript(Self.table).text(for: shell))
                #expect(script.contains(command.words[0]), "\(shell) \(command.name)")
            }
        }
        #expect(page.settings.contains("| `LULL_LISTEN` | `127.0.0.1:8080` | where |  |"))
        #expect(CompletionScript(Self.table).text(for: "csh") == nil)
    }
}
