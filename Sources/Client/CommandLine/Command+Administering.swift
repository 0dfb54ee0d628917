// The commands of the client for sessions, the policy, conditions and webhooks.

extension Command {
    static let administering: [Command] = [
        client(
            "sessions", "list sessions",
            options: [Option("--quiet", nil, "print names only", short: "-q"), json],
            examples: [Example("lull sessions", "name, state and configuration")]),
        client(
            "sessions show", "print a session, with its counts and its configuration",
            operands: [Operand("NAME")], options: [json],
            examples: [
                Example("lull sessions show nightly", "how many downloads it has in each state")
            ]),
        client(
            "sessions set", "create a session, or change members of its configuration",
            operands: [Operand("NAME"), Operand("MEMBER=VALUE", repeats: true)], options: [json],
            examples: [
                Example(
                    "lull sessions set nightly is_discretionary=true max_running=4 webhook_url=",
                    "an empty value sets the default")
            ]),
        client(
            "sessions rm", "end a session without downloads that have not ended",
            operands: [Operand("NAME")],
            options: [
                Option("--finish", nil, "let its downloads end first, and take no new ones"),
                Option("--cancel", nil, "cancel its downloads"), json,
            ],
            examples: [Example("lull sessions rm nightly --cancel", "end it at once")]),
        client(
            "sessions suspend", "stop the downloads of a session, and begin none",
            operands: [Operand("NAME")], options: [json],
            examples: [
                Example("lull sessions suspend nightly", "pause a session")
            ]),
        client(
            "sessions resume", "let the downloads of a suspended session run",
            operands: [Operand("NAME")], options: [json],
            examples: [Example("lull sessions resume nightly", "continue it")]),
        client(
            "sessions foreground", "end the delay of a session after wakes: somebody waits for it",
            operands: [Operand("NAME")], options: [json],
            examples: [
                Example("lull sessions foreground nightly", "its new downloads begin at once")
            ]),
        client(
            "policy show", "print the policy in force", options: [json],
            examples: [
                Example("lull policy show > policy.json", "save it to a file, to change it")
            ]),
        client(
            "policy try", "show what a policy would change for the waiting downloads",
            operands: [Operand("FILE")], options: [json],
            examples: [
                Example(
                    "lull policy try policy.json",
                    "count the downloads that begin sooner, later or unchanged")
            ]),
        client(
            "policy set", "put a policy in force", operands: [Operand("FILE")], options: [json],
            examples: [
                Example(
                    "lull policy set policy.json", "it holds at once, for waiting downloads, too")
            ]),
        client(
            "limit", "limit the bytes a second of all downloads together, by the policy",
            operands: [Operand("RATE", isRequired: false)],
            options: [Option("--yes", nil, "do not ask before the policy changes"), json],
            examples: [
                Example("lull limit 5MB", "at most 5 MB a second; off for no limit"),
                Example("lull limit '06:00,5MB 22:00,off'", "only by day"),
            ]),
        client(
            "night", "let discretionary downloads run at night only, by the policy",
            operands: [Operand("HOURS", isRequired: false)],
            options: [
                Option("--everything", nil, "all downloads, not only discretionary ones"),
                Option("--yes", nil, "do not ask before the policy changes"), json,
            ],
            examples: [
                Example("lull night 22-6", "from 22:00 to 06:00 of this machine; off for no night")
            ]),
        client(
            "conditions", "list the values that rules of the policy ask for", options: [json],
            examples: [Example("lull conditions", "name, value and until when it holds")]),
        client(
            "conditions set", "push the value of a condition",
            operands: [Operand("NAME"), Operand("VALUE")],
            options: [Option("--ttl", "TIME", "how long it holds, such as 1h"), json],
            examples: [
                Example("lull conditions set power_price 0.21 --ttl 1h", "a price for an hour")
            ]),
        client(
            "conditions rm", "remove the pushed value of a condition: its default counts",
            operands: [Operand("NAME")],
            examples: [Example("lull conditions rm power_price", "without a value")]),
        client(
            "webhooks add", "register an endpoint for webhooks, and print its identifier",
            operands: [Operand("URL")],
            options: [
                Option(
                    "--event", "TYPE", "only events of this type, such as download.succeeded",
                    repeats: true),
                Option("--session", "NAME", "only of this session", repeats: true),
                Option("--description", "TEXT", "a description for people"),
                Option(
                    "--format", "FORMAT",
                    "messages to people: slack, discord, ntfy or email (URL is then mailto:ADDRESS)"
                ), json,
            ],
            examples: [
                Example(
                    "lull webhooks add https://hooks.example/done --event download.failed",
                    "its secret is printed to standard error"),
                Example(
                    "lull webhooks add mailto:night@example.org --format email",
                    "a mail when a download ends or needs somebody"),
            ]),
        client(
            "webhooks rm", "remove endpoints", operands: [Operand("ID", repeats: true)],
            examples: [Example("lull webhooks rm whe_01M7…", "it gets nothing any more")]),
        client(
            "webhooks", "list the endpoints for webhooks", options: [json],
            examples: [Example("lull webhooks", "identifier, URL, format and state")]),
        client(
            "webhooks deliveries", "list deliveries, the newest first",
            options: [
                Option("--state", "STATE", "pending, succeeded, exhausted or abandoned"),
                Option("--download", "ID", "only deliveries of this download"),
                Option("--all", nil, "all pages, not only the first 50", short: "-a"), json,
            ],
            examples: [
                Example("lull webhooks deliveries --state exhausted", "webhooks that never arrived")
            ]),
        client(
            "webhooks redeliver", "send deliveries again",
            operands: [Operand("ID", repeats: true)], options: [json],
            examples: [Example("lull webhooks redeliver whd_01M7…", "send the same bytes again")]),
        client(
            "webhooks ping", "send an event to an endpoint, to see whether it answers",
            operands: [Operand("ID")], options: [json],
            examples: [Example("lull webhooks ping whe_01M7…", "endpoint.ping")]),
        client(
            "webhooks secret", "print the secret that signs the webhooks of an endpoint",
            operands: [Operand("ID", isRequired: false)],
            examples: [Example("lull webhooks secret", "the secret of every webhook_url")]),
    ]
}
