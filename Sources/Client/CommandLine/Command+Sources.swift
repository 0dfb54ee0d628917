// The commands of the client for sources.

extension Command {
    private static let all = Option(
        "--all", nil, "all pages, not only the first 50", short: "-a")

    /// The options of a new source beside those of its downloads.
    static let schedule = [
        Option("--name", "NAME", "the name of the source; default the last part of the URL"),
        Option("--zone", "ZONE", "the time zone of the five fields; default that of this machine"),
        Option(
            "--keep", "N|TIME", "keep the last N versions, or those younger than 30d",
            repeats: true),
        Option("--jitter", "TIME", "look up to so much later, by an offset of its own"),
        Option(
            "--overlap", "RULE",
            "if a look still runs: skip, queue_one or cancel_other; default skip"),
        Option(
            "--catch-up", "RULE",
            "after a time in which the service was down: latest, all or none; default latest"),
        Option("--feed", nil, "URL is a feed: fetch the file of each item once"),
        Option("--wake", nil, "wake the client of the session after a new version or a failure"),
        Option("--quiet", nil, "print the name only", short: "-q"),
    ]

    static let ofSources: [Command] = [
        client(
            "sources", "list sources: state, next look, outcome of the last one",
            options: [
                Option("--quiet", nil, "print names only", short: "-q"), all, json,
            ],
            examples: [Example("lull sources", "when each looks next, and what it found last")]),
        client(
            "sources show", "print a source with its latest version and its last looks",
            operands: [Operand("NAME")], options: [json],
            examples: [Example("lull sources show list", "and why an instant had no look")]),
        client(
            "sources set", "change members of a source",
            operands: [Operand("NAME"), Operand("MEMBER=VALUE", repeats: true)], options: [json],
            examples: [
                Example(
                    "lull sources set list schedule=12h keep=5 template.priority=0.2",
                    "an empty value sets the default")
            ]),
        client(
            "sources look", "look at a source now", operands: [Operand("NAME")],
            options: [
                Option("--wait", nil, "until the look has ended; exit 1 if it failed"),
                Option(
                    "--timeout", "TIME",
                    "with --wait: give up after this time, with exit status 5"), json,
            ],
            examples: [Example("lull sources look list --wait", "changed or unchanged")]),
        client(
            "sources versions", "list the versions of a source, the latest first",
            operands: [Operand("NAME")],
            options: [
                Option("--quiet", nil, "print identifiers of downloads only", short: "-q"), all,
                json,
            ],
            examples: [
                Example("lull sources versions list", "number, download, size, time, digest")
            ]),
        client(
            "sources items", "list the known items of a feed, the latest first",
            operands: [Operand("NAME")],
            options: [
                Option("--quiet", nil, "print identifiers of downloads only", short: "-q"), all,
                json,
            ],
            examples: [Example("lull sources items podcast", "time, download and title")]),
        client(
            "sources suspend", "begin no looks of sources",
            operands: [Operand("NAME", repeats: true)], options: [json],
            examples: [Example("lull sources suspend list", "until lull sources resume list")]),
        client(
            "sources resume", "let suspended sources look again",
            operands: [Operand("NAME", repeats: true)], options: [json],
            examples: [Example("lull sources resume list", "at its next instant")]),
        client(
            "sources rm", "remove sources; their downloads stay",
            operands: [Operand("NAME", repeats: true)],
            examples: [Example("lull sources rm list", "it looks no more")]),
    ]
}
