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
    /// The service whose API `lull keys` uses; without one it uses the data directory.
    private static let keyServer = [
        Option(
            "--server", "URL",
            "use the API of this service, with a key that has admin; default LULL_SERVER, "
                + "else the data directory"),
        Option("--key-file", "FILE", "file with that key; default LULL_KEY_FILE or LULL_KEY"),
    ]

    /// The commands that need the settings, in the order of help.
    static let service: [Command] = [
        Command(
            "serve", "serve the API and run downloads, until SIGTERM",
            examples: [
                Example("lull serve --config-file /etc/lull.conf", "with settings from a file")
            ]),
        Command("migrate", "update the database to the schema of this version, then end"),
        Command(
            "keys create", "make an API key, and print it this one time",
            options: [
                Option(
                    "--app", "NAME", "the app whose downloads and sessions it may use",
                    isRequired: true),
                Option(
                    "--scope", "SCOPE",
                    "a scope of the key: "
                        + KeyScope.allCases.map(\.rawValue).joined(separator: ", ")
                        + "; without the flag "
                        + KeyScope.allCases.filter(KeyScope.standard.contains)
                        .map(\.rawValue).joined(separator: ", "), repeats: true),
            ] + keyServer),
        Command(
            "keys list",
            "print the number, app, creation, validity, scopes and last use of every key",
            options: keyServer),
        Command(
            "keys revoke", "revoke a key", operands: [Operand("ID")],
            options: [
                Option("--last", nil, "over the API: also if it is the last one with admin")
            ] + keyServer),
        Command(
            "keys limit", "change limits of an app, or show them; any removes one",
            options: [
                Option("--app", "NAME", "the app", isRequired: true),
                Option("--requests-per-second", "N", "most requests a second, up to 1000000"),
                Option("--queued", "N", "most downloads that have not ended"),
                Option("--max-running", "N", "most downloads at once over all replicas"),
                Option("--staged-bytes", "SIZE", "most bytes of uploads that have not ended"),
            ] + keyServer),
        Command(
            "replicas forget",
            "give up the content of a replica that does not come back",
            operands: [Operand("N")]),
        Command(
            "replicas accept-loss",
            "give up the missing files of a running replica; files that it finds stay",
            operands: [Operand("N")]),
        Command(
            "replicas",
            "print the number, machine, address, state, time, files and bytes of every replica"),
        Command(
            "policy check",
            "check a policy document and print the findings; exit 1 if it is not valid",
            operands: [Operand("FILE")],
            options: [
                Option(
                    "--app", "NAME",
                    "check it as the policy of this app, which adds to the deployment's"),
                Option(
                    "--over", "FILE",
                    "with --app: file with the deployment's policy; without it, the settings' "
                        + "limits"),
            ]),
        Command(
            "healthcheck",
            "check the service on this machine; exit 0 if it is ready, else print the reason"),
        Command(
            "check-config",
            "print the settings in force, with secrets masked, or the first one that is wrong",
            options: [Option("--connect", nil, "check the database, too")]),
        Command(
            "doctor",
            "check settings, disk, database and service, and say what to do; exit 1 after a fault"),
        Command(
            "verify-webhook",
            "check the signature of a webhook that a receiver saved; exit 1 if it is wrong, with "
                + "the reason",
            options: [
                Option(
                    "--secret-file", "FILE",
                    "file with the secret, or with both while one is replaced, one on a "
                        + "line", isRequired: true),
                Option(
                    "--headers", "FILE",
                    "file with the header fields, one on a line",
                    isRequired: true),
                Option(
                    "--body", "FILE",
                    "file with the body as it was received, byte for byte",
                    isRequired: true),
            ], takesSettings: false),
    ]

    /// The commands that print a text about the program.
    static let texts: [Command] = [
        Command("openapi", "print openapi.yaml", group: .program, takesSettings: false),
        Command(
            "man", "print the manual page; or, as Markdown, the page commands or settings",
            group: .program, operands: [Operand("PAGE", isRequired: false)], takesSettings: false,
            examples: [Example("lull man | man -l -", "read it")]),
        Command(
            "completion", "print the script that completes command lines in bash, zsh or fish",
            group: .program, operands: [Operand("SHELL")], takesSettings: false,
            examples: [Example("source <(lull completion bash)", "use it in this shell")]),
        Command(
            "version", "print the version; also -V", group: .program, takesSettings: false),
        Command(
            "help", "print this, or the options of a command; also -h", group: .program,
            takesSettings: false),
    ]
}
