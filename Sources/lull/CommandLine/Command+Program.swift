// The commands of the service, in addition to those of the client.
internal import Client
internal import Downloads

extension CommandTable {
    /// All commands and settings of the program.
    static let program = CommandTable(
        commands: Command.service + Command.client + Command.texts,
        settings: SettingTable.all.map { setting in
            SettingLine(
                name: setting.name, flag: setting.flag, standard: setting.standard,
                help: setting.help, isSecret: setting.isSecret, isLive: setting.isLive)
        })
}

extension Command {
    /// The commands that need the settings, in the order of help.
    static let service: [Command] = [
        Command(
            "serve", "serve the API and run downloads, until SIGTERM",
            examples: [
                Example("lull serve --config-file /etc/lull.conf", "with the settings of a file")
            ]),
        Command("migrate", "bring the database to this program's schema, then end"),
        Command(
            "keys create", "make an API key and print it, this once",
            options: [
                Option("--app", "NAME", "whose downloads and sessions it opens", isRequired: true),
                Option(
                    "--scope", "SCOPE",
                    "what it may do: "
                        + KeyScope.allCases.map(\.rawValue).joined(separator: ", ")
                        + "; all but admin if none is named", repeats: true),
            ]),
        Command(
            "keys list", "print number, app, creation, validity, scopes and use of every key"),
        Command("keys revoke", "end the validity of a key", operands: [Operand("ID")]),
        Command(
            "keys limit", "bound what an app may ask for",
            options: [
                Option("--app", "NAME", "the app", isRequired: true),
                Option(
                    "--requests-per-second", "N",
                    "requests a second, up to 1000000; any number if it is left out"),
                Option(
                    "--queued", "N",
                    "downloads that have not ended; any number if it is left out"),
                Option(
                    "--max-running", "N",
                    "downloads at once over all replicas; any number if it is left out"),
            ]),
        Command(
            "replicas forget",
            "take the content of a replica that does not come back for lost",
            operands: [Operand("N")]),
        Command(
            "replicas accept-loss",
            "take the files that a working replica misses for lost; those that are found stay",
            operands: [Operand("N")]),
        Command(
            "replicas",
            "print number, machine, address, state, time, files and bytes of every replica"),
        Command(
            "policy check",
            "print what the service would say about a policy document; exit 1 if it is refused",
            operands: [Operand("FILE")],
            options: [
                Option(
                    "--app", "NAME", "read it as what this app adds to the deployment's policy"),
                Option(
                    "--over", "FILE",
                    "the deployment's policy, with --app; without it the limits of the settings"),
            ]),
        Command(
            "healthcheck",
            "check the service on this machine; exit 0 if it is ready, else print the reason"),
        Command(
            "check-config",
            "print the settings in force, secrets masked, or what serve would refuse",
            options: [Option("--connect", nil, "ask the database as well")]),
        Command(
            "doctor",
            "look at settings, disk, database and service, and say what to do; exit 1 with a "
                + "fault"),
        Command(
            "verify-webhook",
            "check the signature of a webhook that a receiver saved; exit 1 says why not",
            options: [
                Option(
                    "--secret-file", "FILE",
                    "the secret, or both while one is replaced, one on a line", isRequired: true),
                Option(
                    "--headers", "FILE", "the header fields, one on a line", isRequired: true),
                Option(
                    "--body", "FILE", "the body as it came, byte for byte", isRequired: true),
            ], takesSettings: false),
    ]

    /// The commands that print a text about the program.
    static let texts: [Command] = [
        Command("openapi", "print openapi.yaml", group: .program, takesSettings: false),
        Command(
            "man", "print the manual page, or as Markdown the page commands or settings",
            group: .program, operands: [Operand("PAGE", isRequired: false)], takesSettings: false,
            examples: [Example("lull man | man -l -", "read it")]),
        Command(
            "completion", "print the script that completes command lines in bash, zsh or fish",
            group: .program, operands: [Operand("SHELL")], takesSettings: false,
            examples: [Example("source <(lull completion bash)", "for this shell")]),
        Command(
            "version", "print the version; also -V", group: .program, takesSettings: false),
        Command(
            "help", "print this, or what a command takes; also -h", group: .program,
            takesSettings: false),
    ]
}
