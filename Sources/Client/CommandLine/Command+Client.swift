// The commands that talk to a running service.

extension Command {
    /// The options of every command of the client.
    private static let connection = [
        Option("--server", "URL", "http, https or unix:/PATH of the service; else LULL_SERVER"),
        Option("--key-file", "FILE", "file with the API key; else LULL_KEY_FILE or LULL_KEY"),
    ]

    private static let json = Option(
        "--json", nil, "print what the service answers, one document a line")
    private static let quiet = Option("--quiet", nil, "print identifiers only", short: "-q")
    private static let dryRun = Option(
        "--dry-run", nil, "check it, and change nothing", short: "-n")
    private static let timeout = Option(
        "--timeout", "TIME", "give up after so long, such as 30m; exit status 5")

    /// The options for when and how a download runs, of new downloads and of changes.
    private static let wishes = [
        Option(
            "--after", "WHEN", "begin no earlier: 22:00, tomorrow 6:00, fri, +2h, or RFC 3339",
            alias: "--at"),
        Option("--by", "WHEN", "should be complete by then; soft rules give way in time"),
        Option("--discretionary", nil, "wait for the moment that the policy names"),
        Option("--priority", "0..1", "among downloads that may run, the higher go first"),
        Option("--limit-rate", "SIZE", "bytes a second, such as 2M"),
        Option("--max-bytes", "SIZE", "stop where the content has more"),
        Option("--min-bytes", "SIZE", "fail where the content has less: no error page for a file"),
        Option(
            "--accept-type", "TYPE", "fail for content of another type, such as image/*",
            repeats: true),
        Option(
            "--retry-status", "CODE", "try again after this status, 400 to 499, as it passes",
            repeats: true),
        Option("--retry-attempts", "N", "with --retry-status: so often without a new byte; 10"),
        Option("--retry-for", "TIME", "with --retry-status: for so long, such as 2h; 1h"),
        Option("--checksum", "DIGEST", "sha256:HEX, sha512, sha1, md5, crc32c, or a line of a sum"),
        Option("--mirror", "URL", "another address of the same bytes", repeats: true),
        Option("--segments", "1..8", "streams at once for a large file", short: "-s"),
        Option("--filename", "NAME", "the name of the file"),
        Option("--label", "NAME=VALUE", "a text of yours, kept as metadata", repeats: true),
        Option("--description", "TEXT", "a text of yours for people"),
        Option("--header", "NAME: VALUE", "a field of the request", short: "-H", repeats: true),
        Option("--user", "NAME", "log in at the origin, with --password-file", short: "-u"),
        Option("--password-file", "FILE", "file with the password of --user"),
        Option("--digest", nil, "with --user: HTTP Digest in place of Basic"),
        Option("--bearer-file", "FILE", "file with a token for the origin"),
        Option("--webhook", "URL", "where events go"),
    ]

    /// The options of new downloads only.
    private static let creation = [
        Option("--session", "NAME", "the session that it belongs to"),
        Option("--expect", "SIZE", "how long the content will be, such as 3.9GB"),
        Option("--request", "METHOD", "GET, POST or PUT", short: "-X"),
        Option("--data", "TEXT", "the body that is sent; @FILE reads it", short: "-d"),
        Option("--external-id", "NAME", "your name for it: a second one is the same download"),
    ]

    /// The options that select downloads, for a command that names none.
    private static let filter = [
        Option("--state", "STATE", "only this state, such as failed", repeats: true),
        Option("--session", "NAME", "only this session"),
        Option("--origin", "URL", "only from this scheme, host and port"),
        Option("--label", "NAME=VALUE", "only with this text in the metadata", repeats: true),
    ]

    private static let someIDs = [Operand("ID", isRequired: false, repeats: true)]

    private static func client(
        _ name: String, aliases: [String] = [], _ summary: String, operands: [Operand] = [],
        options: [Option] = [], examples: [Example] = []
    ) -> Command {
        Command(
            name, aliases: aliases, summary, group: .client, operands: operands,
            options: options + connection, takesSettings: false, examples: examples)
    }

    private static func action(
        _ name: String, aliases: [String] = [], _ summary: String, _ example: Example
    ) -> Command {
        client(
            name, aliases: aliases, summary, operands: someIDs,
            options: filter + [
                dryRun, Option("--yes", nil, "do it to all that match, without a question"), json,
            ], examples: [example])
    }

    /// All commands of the client, in the order of help.
    package static let client: [Command] = making + looking + acting + administering

    private static let making: [Command] = [
        client(
            "get", "download a file to this machine: wait for it, check it, write it whole",
            operands: [Operand("URL")],
            options: [
                Option(
                    "--output", "FILE", "where to write it; - for standard output", short: "-o"),
                Option("--overwrite", nil, "replace the file if it exists"),
                Option("--keep", nil, "leave the content at the service as well"),
                Option("--no-mtime", nil, "the file is of now, not of the origin's Last-Modified"),
                timeout,
            ] + wishes + creation + [json],
            examples: [
                Example(
                    "lull get https://mirror.example/debian.iso -o debian.iso --after 22:00 "
                        + "--discretionary", "fetch it in the night, and say why it waits"),
                Example(
                    "lull get https://mirror.example/a.tar.gz --checksum sha256:9f86d0…",
                    "write a.tar.gz only if it has this digest"),
            ]),
        client(
            "add", "queue downloads and print their identifiers",
            operands: [Operand("URL", isRequired: false, repeats: true)],
            options: [
                Option(
                    "--input", "FILE", "URLs, one on a line; - for standard input", short: "-i"),
                Option("--hold", nil, "suspended until lull resume"), dryRun, quiet,
            ] + wishes + creation + [json],
            examples: [
                Example("lull add https://mirror.example/a.iso --by tomorrow", "in time"),
                Example("lull add -q -i urls.txt --session nightly", "many, all or none"),
            ]),
        client(
            "edit", "change downloads that have not succeeded",
            operands: [Operand("ID", repeats: true)],
            options: [
                Option("--url", "URL", "where it comes from now"),
                Option("--now", nil, "not discretionary, and no earliest begin"),
            ] + wishes + [json],
            examples: [Example("lull edit dl_01M7… --priority 0.9 --after 2:00", "later")]),
    ]

    private static let looking: [Command] = [
        client(
            "list", aliases: ["ls"], "list downloads, the newest first",
            options: filter + [
                Option("--all", nil, "all pages, not the first 50", short: "-a"), quiet, json,
            ], examples: [Example("lull list --state failed --session nightly", "what failed")]),
        client(
            "show", "print a download with its attempts", operands: [Operand("ID", repeats: true)],
            options: [json], examples: [Example("lull show dl_01M7…", "everything about it")]),
        client(
            "why", "say why a download waits, and until when",
            operands: [Operand("ID", repeats: true)], options: [json],
            examples: [Example("lull why dl_01M7…", "each rule that holds it back")]),
        client(
            "watch", "follow downloads until they have ended", operands: someIDs,
            options: [timeout, json],
            examples: [Example("lull watch", "all that have not ended")]),
        client(
            "wait", "wait until downloads have ended; the exit status says how",
            operands: [Operand("ID", repeats: true)], options: [timeout],
            examples: [Example("lull wait dl_01M7… --timeout 30m && make", "then go on")]),
        client(
            "cat", "write the content of a download to standard output",
            operands: [Operand("ID")],
            examples: [Example("lull cat dl_01M7… | tar -xz", "unpack it")]),
        client(
            "events", "print events, the oldest first",
            operands: [Operand("ID", isRequired: false)],
            options: [
                Option("--follow", nil, "go on as they come", short: "-f"),
                Option("--since", "CURSOR", "only behind this place of the journal"),
                Option("--type", "TYPE", "only this type, such as download.*", repeats: true),
                Option("--session", "NAME", "only this session"), json,
            ],
            examples: [Example("lull events -f --type download.failed", "what fails from now on")]),
        client(
            "forecast", "say when what waits will begin and end",
            options: [Option("--session", "NAME", "only this session"), json],
            examples: [Example("lull forecast", "the next hours")]),
    ]

    private static let acting: [Command] = [
        action("cancel", "end downloads", Example("lull cancel --session nightly", "all of it")),
        action(
            "suspend", aliases: ["pause"], "stop downloads and keep their bytes",
            Example("lull pause dl_01M7…", "until lull resume")),
        action("resume", "let suspended downloads run", Example("lull resume dl_01M7…", "go on")),
        action(
            "retry", "try downloads again that failed or were canceled",
            Example("lull retry --state failed --yes", "all that failed")),
        action(
            "rm", "delete downloads that have ended, and their content",
            Example("lull rm --state canceled -n", "how many there are")),
    ]

    private static let administering: [Command] = [
        client(
            "sessions", "list sessions", options: [json],
            examples: [Example("lull sessions", "name, state and configuration")]),
        client(
            "sessions show", "print a session with what it has", operands: [Operand("NAME")],
            options: [json], examples: [Example("lull sessions show nightly", "its counts")]),
        client(
            "sessions set", "make a session, or change members of its configuration",
            operands: [Operand("NAME"), Operand("MEMBER=VALUE", repeats: true)], options: [json],
            examples: [
                Example(
                    "lull sessions set nightly is_discretionary=true max_running=4 webhook_url=",
                    "an empty value takes the default")
            ]),
        client(
            "sessions suspend", "let nothing of a session run", operands: [Operand("NAME")],
            options: [json], examples: [Example("lull sessions suspend nightly", "a pause")]),
        client(
            "sessions resume", "let the downloads of a session run", operands: [Operand("NAME")],
            options: [json], examples: [Example("lull sessions resume nightly", "and on")]),
        client(
            "policy show", "print the policy in force", options: [json],
            examples: [Example("lull policy show > policy.json", "to change it")]),
        client(
            "policy try", "say what a policy would change for what waits",
            operands: [Operand("FILE")], options: [json],
            examples: [Example("lull policy try policy.json", "sooner, later, unchanged")]),
        client(
            "policy set", "put a policy in force", operands: [Operand("FILE")], options: [json],
            examples: [Example("lull policy set policy.json", "at once, for waiting ones too")]),
        client(
            "webhooks", "list the endpoints for webhooks", options: [json],
            examples: [Example("lull webhooks", "identifier, URL and state")]),
        client(
            "webhooks deliveries", "list deliveries, the newest first",
            options: [
                Option("--state", "STATE", "pending, succeeded, exhausted or abandoned"),
                Option("--download", "ID", "only of this download"), json,
            ], examples: [Example("lull webhooks deliveries --state exhausted", "what was lost")]),
        client(
            "webhooks redeliver", "send deliveries once more",
            operands: [Operand("ID", repeats: true)], options: [json],
            examples: [Example("lull webhooks redeliver whd_01M7…", "the same bytes")]),
        client(
            "webhooks ping", "send an event to an endpoint, to see whether it answers",
            operands: [Operand("ID")], options: [json],
            examples: [Example("lull webhooks ping whe_01M7…", "endpoint.ping")]),
        client(
            "webhooks secret", "print the secret that signs what goes to an endpoint",
            operands: [Operand("ID", isRequired: false)],
            examples: [Example("lull webhooks secret", "that of every webhook_url")]),
    ]
}
