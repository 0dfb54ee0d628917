// The members of a policy document: the table for checks, descriptions and corrections of misspelt
// names.
internal import Downloads

/// The shapes of policy documents.
package enum PolicyShape {
    /// The shape of a deployment's document.
    package static let deployment = Shape.object(members)

    /// The shape of an app's document, which has no members about other apps or the whole
    /// deployment.
    package static let app = Shape.object(
        members.compactMap { member in
            switch member.name {
            case "time_zone", "conditions", "shares", "guard": nil
            case "limits": ShapeMember("limits", .object(appLimits), member.meaning)
            case "bandwidth":
                ShapeMember(
                    "bandwidth", .any([.text(.timetable), .object(appBandwidth)]), member.meaning)
            default: member
            }
        })

    /// The most rules, budgets, windows and conditions of a document.
    static let rulesAtMost = 1000
    static let windowsAtMost = 64
    static let conditionsAtMost = 64
    static let budgetsAtMost = 64
    static let patternsAtMost = 256

    private static let members: [ShapeMember] = [
        ShapeMember(
            "time_zone", .text(.zone),
            "the IANA name of the zone of windows, timetables and budget periods; UTC by default"),
        ShapeMember(
            "windows",
            .map(.list(.text(.window), count: 1...64), names: .word, atMost: windowsAtMost),
            "lists of hours by name, such as Mon-Fri 22:00-06:00"),
        ShapeMember(
            "conditions", .map(.object(declaration), names: .word, atMost: conditionsAtMost),
            "conditions whose values are pushed, by name"),
        ShapeMember(
            "rules", .list(.object(rule), count: 0...rulesAtMost),
            "downloads that a rule matches wait until everything in its require holds"),
        ShapeMember("limits", .object(limits), "how many downloads run at once"),
        ShapeMember(
            "budgets", .list(.object(budget), count: 0...budgetsAtMost),
            "bytes that may be transferred in a period"),
        ShapeMember(
            "bandwidth", .any([.text(.timetable), .object(bandwidth)]),
            "bytes a second over all replicas together: one timetable for everything, or several, "
                + "all of which hold"),
        ShapeMember(
            "shares", .object(shares), "weights by which apps and sessions share the slots"),
        ShapeMember(
            "guard", .object(guardMembers),
            "how early a download with a deadline stops waiting for soft rules"),
    ]

    private static let declaration: [ShapeMember] = [
        ShapeMember(
            "type", .word(["number", "word", "boolean"]), isRequired: true,
            "the type of its values"),
        ShapeMember("unit", .text(.name), "the unit of a number, shown in sentences"),
        ShapeMember(
            "words", .list(.text(.word), count: 1...64), "the values of a condition of type word"),
        ShapeMember(
            "default", .any([.number(-1e300...1e300), .flag, .text(.word)]),
            "the value that counts if none was pushed, or the pushed one is older than its ttl; "
                + "without a default no requirement on such a value is met"),
        ShapeMember(
            "ttl", .text(.duration),
            "how long a pushed value counts; without it, until the next push"),
    ]

    private static let rule: [ShapeMember] = [
        ShapeMember("name", .text(.name), isRequired: true, "its name, which blockers show"),
        ShapeMember(
            "match", .object(Match.shape),
            "the downloads that it concerns: all given members have to match; of a list, one "
                + "value"),
        ShapeMember(
            "require", .list(.text(.requirement), count: 1...16),
            "requirements, all of which have to hold: [not] window NAME, or NAME < VALUE [for 60s] "
                + "[until > VALUE]"),
        ShapeMember(
            "prefer", .text(.preference),
            "a condition; hours in which its value is least or most are preferred"),
        ShapeMember(
            "soft", .flag,
            "whether it is given up as the download gets older or its deadline comes near"),
        ShapeMember(
            "at_close", .word(["finish", "stop"]),
            "whether running downloads finish or stop when it closes; only downloads that can be "
                + "resumed are stopped. By default stop for soft rules and those that only prefer, "
                + "finish for others"),
    ]

    private static func perPattern(_ names: TextForm) -> Shape {
        .any([
            .integer(1...10_000),
            .map(.integer(1...10_000), names: names, atMost: patternsAtMost),
        ])
    }

    private static let appLimits: [ShapeMember] =
        [ShapeMember("per_app", .integer(1...10_000), "downloads of the app")]
        + limits.filter { ["per_session", "per_origin"].contains($0.name) }

    private static let appBandwidth: [ShapeMember] =
        [ShapeMember("deployment", .text(.timetable), "all downloads of the app together")]
        + bandwidth.filter { $0.name == "per_session" }

    private static let limits: [ShapeMember] = [
        ShapeMember("running", .integer(1...10_000), "downloads of the deployment"),
        ShapeMember("per_replica", .integer(1...10_000), "downloads of one process"),
        ShapeMember("per_app", perPattern(.glob), "downloads of an app, by its name or a pattern"),
        ShapeMember(
            "per_session", perPattern(.session),
            "downloads of a session, by its identifier or a pattern"),
        ShapeMember(
            "per_origin", perPattern(.origin),
            "downloads from an origin, by host:port, host, *.domain or *; the narrowest pattern "
                + "counts"),
    ]

    private static let budget: [ShapeMember] = [
        ShapeMember("name", .text(.name), isRequired: true, "its name, which blockers show"),
        ShapeMember("match", .object(Match.shape), "the downloads that it counts"),
        ShapeMember(
            "bytes", .any([.integer(1...(1 << 53)), .text(.size)]), isRequired: true,
            "the bytes of one period"),
        ShapeMember(
            "per", .word(Budget.Period.allCases.map(\.rawValue)), isRequired: true,
            "the period, by the clock of the zone; a week begins on Monday"),
        ShapeMember(
            "scope", .word(Budget.Scope.allCases.map(\.rawValue)), isRequired: true,
            "the level that has a counter of its own"),
        ShapeMember(
            "counts", .word(Budget.Direction.allCases.map(\.rawValue)),
            "the bytes that it counts; both by default"),
        ShapeMember("hard", .flag, "whether running downloads stop when it is used up"),
        ShapeMember(
            "pace", .word(["even"]),
            "even: the used part of it never exceeds the part of the period that has passed"),
    ]

    private static func timetables(_ names: TextForm) -> Shape {
        .any([
            .text(.timetable), .map(.text(.timetable), names: names, atMost: patternsAtMost),
        ])
    }

    private static let bandwidth: [ShapeMember] = [
        ShapeMember("deployment", .text(.timetable), "all downloads together"),
        ShapeMember("per_session", timetables(.session), "each session, by identifier or *"),
        ShapeMember(
            "per_origin", timetables(.origin),
            "each origin, by host:port, host, *.domain or *; the narrowest pattern counts"),
        ShapeMember("per_app", timetables(.glob), "each app, by name or *"),
        ShapeMember(
            "per_class",
            .object(
                SchedulingClass.words.map {
                    ShapeMember($0.word, .text(.timetable), "the class \($0.word)")
                }), "each class"),
    ]

    private static let weights = Shape.map(
        .number(0.01...100), names: .glob, atMost: patternsAtMost)

    private static let shares: [ShapeMember] = [
        ShapeMember("app", weights, "weights of apps by name; * stands for every other app"),
        ShapeMember("session", weights, "weights of sessions; * stands for every other session"),
        ShapeMember(
            "discretionary_floor", .number(0...1),
            "the smallest part of the slots that discretionary downloads get if they may run"),
    ]

    private static let guardMembers: [ShapeMember] = [
        ShapeMember(
            "quantile", .number(0.01...0.5),
            "the quantile of past rates by which the time of a download is estimated"),
        ShapeMember("margin", .text(.duration), "the time that is reserved before a deadline"),
    ]
}
