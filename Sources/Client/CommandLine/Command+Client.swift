// The commands that talk to a running service.

extension Command {
    /// The options of every command of the client.
    private static let connection = [
        Option(
            "--server", "URL",
            "address of the service: http, https or unix:/PATH; default LULL_SERVER"),
        Option("--key-file", "FILE", "file with the API key; default LULL_KEY_FILE or LULL_KEY"),
    ]

    static let json = Option(
        "--json", nil, "print the JSON answers of the service, one on a line")
    private static let quiet = Option("--quiet", nil, "print identifiers only", short: "-q")
    private static let dryRun = Option(
        "--dry-run", nil, "only check the command, and change nothing", short: "-n")
    private static let timeout = Option(
        "--timeout", "TIME", "give up after this time, such as 30m, with exit status 5")

    /// The options for when and how a download runs, of new downloads and of changes.
    private static let wishes = [
        Option(
            "--after", "WHEN", "do not begin before: 22:00, tomorrow 6:00, fri, +2h, or RFC 3339",
            alias: "--at"),
        Option("--by", "WHEN", "deadline: soft rules are given up in time to meet it"),
        Option(
            "--discretionary", nil,
            "the time does not matter: wait for a good moment by the policy"),
        Option("--priority", "0..1", "downloads of higher priority begin first"),
        Option("--limit-rate", "SIZE", "most bytes a second, such as 2M"),
        Option("--max-bytes", "SIZE", "stop if the content is larger"),
        Option("--min-bytes", "SIZE", "fail if the content is smaller, such as an error page"),
        Option(
            "--accept-type", "TYPE",
            "fail if the content has another type than this, such as image/*",
            repeats: true),
        Option(
            "--retry-status", "CODE", "try again after this temporary status, 400 to 499",
            repeats: true),
        Option(
            "--retry-attempts", "N",
            "with --retry-status: most attempts without a new byte; default 10"),
        Option("--retry-for", "TIME", "with --retry-status: longest time, such as 2h; default 1h"),
        Option(
            "--checksum", "DIGEST",
            "sha256:HEX (or sha512, sha1, md5, crc32c), or a line of sha256sum"),
        Option("--mirror", "URL", "another address of the same bytes", repeats: true),
        Option("--segments", "1..8", "streams at once for a large file", short: "-s"),
        Option("--filename", "NAME", "the name of the file"),
        Option("--label", "NAME=VALUE", "a pair of your own, kept as metadata", repeats: true),
        Option("--description", "TEXT", "a description for people"),
        Option(
            "--header", "NAME: VALUE", "a header field of the request", short: "-H", repeats: true),
        Option("--user", "NAME", "user name for the origin; needs --password-file", short: "-u"),
        Option("--password-file", "FILE", "file with the password of --user"),
        Option("--digest", nil, "with --user: HTTP Digest authentication instead of Basic"),
        Option("--bearer-file", "FILE", "file with a token for the origin"),
        Option("--webhook", "URL", "URL that receives the events"),
        Option("--proxy", "URL", "HTTP proxy of the request, or none"),
        Option("--proxy-user", "NAME", "user name for the proxy; needs --proxy-password-file"),
        Option("--proxy-password-file", "FILE", "file with the password of --proxy-user"),
        Option(
            "--to", "PLACE",
            "URL to which the finished file is sent; or NAME, or NAME:PATH, of a folder or store "
                + "of the operator"),
        Option(
            "--on-conflict", "RULE",
            "with --to NAME: fail, rename, replace or replace_if_same; default fail"),
        Option("--to-method", "METHOD", "with --to URL: PUT or POST; default PUT"),
        Option(
            "--to-header", "NAME: VALUE", "with --to URL: a header field for the receiver",
            repeats: true),
        Option("--to-bearer-file", "FILE", "with --to URL: file with a token for the receiver"),
        Option("--tus", nil, "with --to URL: the receiver speaks tus, and URL creates uploads"),
    ]

    /// The names of the options above that an upload has, too.
    private static let wishesOfUploads: Set = [
        "--after", "--by", "--discretionary", "--priority", "--limit-rate", "--retry-status",
        "--retry-attempts", "--retry-for", "--checksum", "--filename", "--label", "--description",
        "--webhook",
    ]

    /// The options for the receiver of an upload.
    private static let receiving = [
        Option("--tus", nil, "the receiver speaks tus, and its URL creates uploads"),
        Option("--to-method", "METHOD", "PUT or POST to a receiver; default PUT"),
        Option("--to-header", "NAME: VALUE", "a header field for the receiver", repeats: true),
        Option("--to-bearer-file", "FILE", "file with a token for the receiver"),
        Option(
            "--on-conflict", "RULE",
            "in a store: fail, rename, replace or replace_if_same; default fail"),
    ]

    /// The options of new downloads only.
    private static let creation = [
        Option("--session", "NAME", "the session of the download"),
        Option("--expect", "SIZE", "the expected size of the content, such as 3.9GB"),
        Option("--request", "METHOD", "GET, POST or PUT", short: "-X"),
        Option(
            "--data", "TEXT", "the body of the request; @FILE reads it from a file", short: "-d"),
        Option(
            "--external-id", "NAME",
            "your own name for the download; it creates one download only"),
        Option(
            "--if-changed-from", "ID",
            "an earlier download of this URL: fetch the content only if it has changed since"),
    ]

    /// The options that say what is fetched and how.
    static let wishNames = Set((wishes + creation).map(\.name))

    /// The options that select downloads, for a command that names none.
    private static let filter = [
        Option("--state", "STATE", "only downloads in this state, such as failed", repeats: true),
        Option("--session", "NAME", "only of this session"),
        Option("--origin", "URL", "only from this origin: scheme, host and port"),
        Option("--error", "CODE", "only what failed with this code, such as timed_out"),
        Option("--search", "TEXT", "only with this text in the name or the URL"),
        Option("--label", "NAME=VALUE", "only with this pair in the metadata", repeats: true),
        Option("--uploads", nil, "uploads in place of downloads"),
    ]

    /// The options for files that are written on this machine.
    private static let files = [
        Option(
            "--directory", "DIR", "the folder of the files, which is made if it is missing",
            short: "-d"),
        Option(
            "--jobs", "N", "most files that are fetched at once, 1 to 64; default 4", short: "-j"),
        Option("--overwrite", nil, "replace files that exist"),
        Option(
            "--no-mtime", nil,
            "do not set the times of files to the origin's Last-Modified"),
        Option("--release", nil, "give the content at the service up once it is here"),
    ]

    /// The option that selects the downloads of a source, of commands that read.
    private static let source = Option("--source", "NAME", "only of this source")

    /// The names of the options above that a source cannot have: they are of one download.
    private static let wishesOfOneDownload: Set = ["--after", "--by", "--checksum"]

    private static let list = Option(
        "--input", "FILE",
        "file with a URL on each line and, behind tabs, name, digest and further URLs; or "
            + "TsvHttpData-1.0; - for standard input", short: "-i")

    private static let someIDs = [Operand("ID", isRequired: false, repeats: true)]

    static func client(
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
                dryRun, Option("--yes", nil, "do not ask before changing all that match"), json,
            ], examples: [example])
    }

    /// All commands of the client, in the order of help.
    package static let client: [Command] = making + looking + acting + ofSources + administering

    private static let making: [Command] = [
        client(
            "get", "download files to this machine: wait until complete, check, write",
            operands: [Operand("URL", isRequired: false, repeats: true)],
            options: [
                list,
                Option(
                    "--output", "FILE", "where to write it; - for standard output", short: "-o"),
                Option("--keep", nil, "keep the content at the service, too"),
            ] + files + [timeout] + wishes
                // -d is the folder here.
                + creation.map { option in
                    option.name == "--data"
                        ? Option(option.name, option.value, option.help) : option
                } + [json],
            examples: [
                Example(
                    "lull get https://mirror.example/debian.iso -o debian.iso --after 22:00 "
                        + "--discretionary", "fetch it at night, and show why it waits"),
                Example(
                    "lull get https://mirror.example/a.tar.gz --checksum sha256:9f86d0…",
                    "write a.tar.gz only if it has this digest"),
                Example(
                    "lull get -i urls.txt -d films -j 8",
                    "all files of a list; after Ctrl-C the same command goes on"),
                Example("lull get dl_01M7…", "the file of a download that is queued already"),
            ]),
        client(
            "save", "write the contents of finished downloads to files of this machine",
            operands: [Operand("ID", isRequired: false, repeats: true)],
            options: files + filter + [source, json],
            examples: [
                Example(
                    "lull save --session nightly -d films",
                    "all that is ready; the same command again brings what has become ready"),
                Example("lull save dl_01M7… --release", "bring it here, and give it up there"),
            ]),
        client(
            "put", "send a file of this machine to a receiver or store, by way of the service",
            operands: [Operand("FILE"), Operand("PLACE")],
            options: [
                Option("--no-wait", nil, "end when the service has the whole file"),
                Option("--no-checksum", nil, "do not read the file for its SHA-256 beforehand"),
                Option("--hold", nil, "let it wait for lull resume before it is sent"),
                Option("--session", "NAME", "the session of the upload"),
                Option(
                    "--external-id", "NAME",
                    "your own name for the upload, in place of one "
                        + "that follows from FILE and PLACE"),
                timeout,
            ] + receiving + wishes.filter { wishesOfUploads.contains($0.name) } + [json],
            examples: [
                Example(
                    "lull put backup.tar https://store.example/in/backup.tar --at 22:00",
                    "hand it over now, and let it be sent at night"),
                Example(
                    "lull put film.mkv media:films/film.mkv",
                    "the same command after Ctrl-C goes on where it was"),
            ]),
        client(
            "add", "queue downloads and print their identifiers",
            operands: [Operand("URL", isRequired: false, repeats: true)],
            options: [
                list,
                Option(
                    "--hold", nil,
                    "create them suspended; lull resume lets them run"), dryRun, quiet,
            ] + wishes + creation + [json],
            examples: [
                Example(
                    "lull add https://mirror.example/a.iso --by tomorrow", "complete by tomorrow"),
                Example(
                    "lull add -q -i urls.txt --session nightly", "create all of the list, or none"),
                Example(
                    "lull add https://mirror.example/a.iso --to https://store.example/in/a.iso",
                    "send it on when it is here and proved"),
            ]),
        client(
            "every", "look at a URL again and again, and download what has changed",
            operands: [Operand("WHEN"), Operand("URL")],
            options: schedule + wishes.filter { !wishesOfOneDownload.contains($0.name) }
                + creation.filter { ["--session", "--request", "--data"].contains($0.name) }
                + [json],
            examples: [
                Example(
                    "lull every 6h https://mirror.example/list.csv --keep 3",
                    "now and every six hours; the same line again changes nothing"),
                Example(
                    "lull every '15 2 * * *' https://mirror.example/list.csv --discretionary",
                    "each night at 2:15"),
                Example(
                    "lull every auto https://mirror.example/list.csv", "as often as it changes"),
            ]),
        client(
            "edit", "change downloads that have not succeeded",
            operands: [Operand("ID", repeats: true)],
            options: [
                Option("--url", "URL", "the new URL"),
                Option("--now", nil, "remove --discretionary and --after"),
            ] + wishes + [json],
            examples: [
                Example("lull edit dl_01M7… --priority 0.9 --after 2:00", "not before 2:00")
            ]),
    ]

    private static let looking: [Command] = [
        client(
            "status", "print how the queue is; exit 6 if a download needs you", options: [json],
            examples: [
                Example("lull status || mail -s lull me", "for a script that looks now and then")
            ]),
        client(
            "top", "follow the queue on the screen: what runs, what is next; q ends",
            options: [json],
            examples: [Example("lull top", "without a terminal it prints once")]),
        client(
            "list", aliases: ["ls"], "list downloads, the newest first",
            options: filter + [
                source,
                Option(
                    "--order", "ORDER",
                    "created_at, completed_at (of ended ones), each with - for the last first, or "
                        + "next (of waiting ones)"),
                Option("--all", nil, "all pages, not only the first 50", short: "-a"), quiet, json,
            ],
            examples: [
                Example(
                    "lull list --state failed --session nightly", "the failed ones of a session"),
                Example(
                    "lull list --state failed --order=-completed_at", "what failed last comes first"
                ),
            ]),
        client(
            "show", "print a download with its attempts", operands: [Operand("ID", repeats: true)],
            options: [json], examples: [Example("lull show dl_01M7…", "all members and attempts")]),
        client(
            "why", "show why a download waits, and until when",
            operands: [Operand("ID", repeats: true)], options: [json],
            examples: [Example("lull why dl_01M7…", "show each rule that holds it back")]),
        client(
            "watch", "follow downloads until they have ended", operands: someIDs,
            options: filter + [source, timeout, json],
            examples: [
                Example("lull watch", "all downloads that have not ended"),
                Example("lull watch --session nightly", "those of a session"),
            ]),
        client(
            "wait", "wait until downloads have ended; the exit status tells the result",
            operands: someIDs, options: filter + [source, timeout],
            examples: [
                Example("lull wait dl_01M7… --timeout 30m && make", "run make after success"),
                Example(
                    "lull wait --label build=7", "all that have not ended and have this label"),
            ]),
        client(
            "cat", "write the content of a download to standard output",
            operands: [Operand("ID")],
            examples: [Example("lull cat dl_01M7… | tar -xz", "unpack it while it is read")]),
        client(
            "link", "print an address of the content of a download, which needs no key",
            operands: [Operand("ID")],
            options: [
                Option("--ttl", "TIME", "how long it works, 60s to 7d; default 1h"),
                Option(
                    "--inline", nil,
                    "a browser shows the content in place of saving it; only audio, video, images "
                        + "and plain text"), json,
            ],
            examples: [Example("lull link dl_01M7… --ttl 2d", "send somebody a finished file")]),
        client(
            "events", "print events, the oldest first",
            operands: [Operand("ID", isRequired: false)],
            options: [
                Option("--follow", nil, "keep printing new events", short: "-f"),
                Option("--since", "CURSOR", "only events after this cursor"),
                Option(
                    "--type", "TYPE", "only events of this type, such as download.*",
                    repeats: true),
                Option("--session", "NAME", "only of this session"), json,
            ],
            examples: [
                Example("lull events -f --type download.failed", "print failures as they happen")
            ]),
        client(
            "forecast", "show when waiting downloads will probably begin and end",
            options: [
                Option("--session", "NAME", "only of this session"),
                Option("--all", nil, "all downloads, not only the first 50", short: "-a"), json,
            ],
            examples: [Example("lull forecast", "the bytes of the next hours, and each download")]),
    ]

    private static let acting: [Command] = [
        action(
            "cancel", "cancel downloads",
            Example("lull cancel --session nightly", "all downloads of a session")),
        action(
            "suspend", aliases: ["pause"], "stop downloads, and keep their bytes",
            Example("lull pause dl_01M7…", "stop it until lull resume")),
        action(
            "resume", "let suspended downloads run",
            Example("lull resume dl_01M7…", "continue it")),
        action(
            "retry", "retry downloads that failed or were canceled",
            Example("lull retry --state failed --yes", "all failed downloads")),
        action(
            "rm", "delete downloads that have ended, and their content",
            Example("lull rm --state canceled -n", "only count them")),
    ]
}
