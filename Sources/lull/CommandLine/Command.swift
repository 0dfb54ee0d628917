// The table of commands, from which the command line is read and help is printed.
internal import Core

/// One command: its name, what it does and what it takes.
struct Command: Sendable {
    /// An option of a command's own, beside the settings.
    struct Option: Sendable {
        /// With its two dashes.
        let name: String
        /// The placeholder of its value in help; nil for a flag without one.
        let value: String?
        /// One line for help.
        let help: String
        /// Whether the command needs it.
        var isRequired = false
        /// Whether it may be given more than once.
        var repeats = false
    }

    /// The words of its name: one or two.
    let words: [String]
    /// What it does, one line without a full stop.
    let summary: String
    /// What follows the options, such as `ID`; all of them are needed.
    var operands: [String] = []
    /// What it takes beside the settings.
    var options: [Option] = []
    /// Whether settings may be given as flags.
    var takesSettings = true

    /// Its name, with a space between two words.
    var name: String { words.joined(separator: " ") }

    /// All of them, in the order of help.
    static let all: [Command] = [
        Command(words: ["serve"], summary: "serve the API and run downloads, until SIGTERM"),
        Command(
            words: ["migrate"], summary: "bring the database to this program's schema, then end"),
        Command(
            words: ["keys", "create"], summary: "make an API key and print it, this once",
            options: [
                Option(
                    name: "--app", value: "NAME", help: "whose downloads and sessions it opens",
                    isRequired: true),
                Option(
                    name: "--scope", value: "SCOPE",
                    help: "what it may do: "
                        + KeyScope.allCases.map(\.rawValue).joined(
                            separator: ", ") + "; all but admin if none is named", repeats: true),
            ]),
        Command(
            words: ["keys", "list"],
            summary: "print number, app, creation, validity, scopes and use of every key"),
        Command(
            words: ["keys", "revoke"], summary: "end the validity of a key",
            operands: ["ID"]),
        Command(
            words: ["keys", "limit"], summary: "bound what an app may ask for",
            options: [
                Option(name: "--app", value: "NAME", help: "the app", isRequired: true),
                Option(
                    name: "--requests-per-second", value: "N",
                    help: "requests a second, up to 1000000; any number if it is left out"),
                Option(
                    name: "--queued", value: "N",
                    help: "downloads that have not ended; any number if it is left out"),
                Option(
                    name: "--max-running", value: "N",
                    help: "downloads at once over all replicas; any number if it is left out"),
            ]),
        Command(
            words: ["replicas", "forget"],
            summary: "take the content of a replica that does not come back for lost",
            operands: ["N"]),
        Command(
            words: ["replicas"],
            summary:
                "print number, machine, address, state, time, files and bytes of every replica"),
        Command(
            words: ["policy", "check"],
            summary: "print what the service would say about a policy document; exit 1 if it is "
                + "refused", operands: ["FILE"],
            options: [
                Option(
                    name: "--app", value: "NAME",
                    help: "read it as what this app adds to the deployment's policy"),
                Option(
                    name: "--over", value: "FILE",
                    help: "the deployment's policy, with --app; without it the limits of the "
                        + "settings"),
            ]),
        Command(
            words: ["healthcheck"],
            summary:
                "check the service on this machine; exit 0 if it is ready, else print the reason"),
        Command(
            words: ["check-config"],
            summary: "print the settings in force, secrets masked, or what serve would refuse",
            options: [
                Option(name: "--connect", value: nil, help: "ask the database as well")
            ]),
        Command(
            words: ["verify-webhook"],
            summary: "check the signature of a webhook that a receiver saved; exit 1 says why not",
            options: [
                Option(
                    name: "--secret-file", value: "FILE",
                    help: "the secret, or both while one is replaced, one on a line",
                    isRequired: true),
                Option(
                    name: "--headers", value: "FILE", help: "the header fields, one on a line",
                    isRequired: true),
                Option(
                    name: "--body", value: "FILE", help: "the body as it came, byte for byte",
                    isRequired: true),
            ], takesSettings: false),
        Command(words: ["openapi"], summary: "print openapi.yaml", takesSettings: false),
        Command(words: ["version"], summary: "print the version; also -V", takesSettings: false),
        Command(
            words: ["help"], summary: "print this, or what a command takes; also -h",
            takesSettings: false),
    ]
}
