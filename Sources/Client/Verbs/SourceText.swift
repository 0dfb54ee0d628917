// Sources, their looks and their versions as lines for people; pure.
internal import Base

/// Makes texts about one source.
struct SourceText {
    let clock: InstantText

    /// The settings of a source, one on a line.
    func settings(of source: JSON) -> [String] {
        var rows = [
            ["url", source["url"]?.stringValue ?? ""],
            ["looks", ScheduleWords.text(source["schedule"] ?? .null)],
        ]
        if let keep = ScheduleWords.text(ofKeep: source["keep"]) { rows.append(["keeps", keep]) }
        let usual: [(String, String)] = [("overlap", "skip"), ("catch_up", "latest")]
        for (name, value) in usual {
            guard let set = source[name]?.stringValue, set != value else { continue }
            rows.append([name, set])
        }
        if let whom = source["notify"]?.stringValue { rows.append(["tells", whom]) }
        let members = (source["template"]?.objectValue?.members ?? []).filter { !$0.value.isNull }
        if !members.isEmpty {
            let words = members.map { name, value in
                let text = SizeMember.text(name, value) ?? value.stringValue ?? value.text
                return "\(name)=\(text)"
            }
            rows.append(["downloads", words.joined(separator: " ")])
        }
        return rows.map { SourceText.line($0[0], $0[1]) }
    }

    /// The state, the next look and the latest version of a source.
    func situation(of source: JSON) -> [String] {
        var lines: [String] = []
        if let next = instant(source["next_look_at"]) {
            let reason = source["interval"]?["reason"]?.stringValue
            let seconds = source["interval"]?["seconds"]?.integerValue
            let learned =
                reason == "learned"
                ? seconds.map { ", then after \(NumberText.span(.seconds($0)))" } ?? "" : ""
            lines.append(SourceText.line("next look", clock.showWithDistance(next) + learned))
        }
        if let failures = source["failures"]?.integerValue, failures > 0 {
            lines.append(SourceText.line("failed", "\(failures) looks in a row"))
        }
        if let latest = source["latest"], let version = latest["version"]?.integerValue {
            let seen = instant(latest["seen_at"]).map { ", \(clock.show($0))" } ?? ""
            let id = latest["download"]?.stringValue.map { ", \($0)" } ?? ""
            lines.append(SourceText.line("latest", "version \(version)\(seen)\(id)"))
        }
        return lines
    }

    /// The cells of a look: when, outcome, download.
    func look(_ look: JSON) -> [String] {
        let due = instant(look["begun_at"]) ?? instant(look["due_at"])
        let count = look["count"]?.integerValue ?? 1
        let times = count > 1 ? " \(count) times" : ""
        return [
            due.map { clock.show($0) } ?? "-", SourceText.outcome(look) + times,
            look["download"]?.stringValue ?? "-",
        ].map { Printable.text($0) }
    }

    /// The outcome of a look in words.
    static func outcome(_ look: JSON) -> String {
        guard let outcome = look["outcome"]?.stringValue else { return "runs" }
        let reason = look["reason"]?.stringValue.map { " (\($0))" } ?? ""
        switch outcome {
        case "unchanged_304", "unchanged_digest": return "unchanged"
        default: return outcome + reason
        }
    }

    /// The cells of a version.
    func version(_ version: JSON) -> [String] {
        [
            "\(version["version"]?.integerValue ?? 0)", version["download"]?.stringValue ?? "-",
            version["length"]?.integerValue.map { NumberText.size($0) } ?? "-",
            instant(version["seen_at"]).map { clock.show($0) } ?? "-",
            version["sha256"]?.stringValue ?? "-",
        ].map { Printable.text($0) }
    }

    /// The cells of an item of a feed.
    func item(_ item: JSON) -> [String] {
        [
            (instant(item["published_at"]) ?? instant(item["seen_at"])).map { clock.show($0) }
                ?? "-", item["download"]?.stringValue ?? "-", item["title"]?.stringValue ?? "",
        ].map { Printable.text($0) }
    }

    /// An instant of a document.
    func instant(_ value: JSON?) -> Timestamp? {
        value?.stringValue.flatMap { Timestamp(rfc3339: $0) }
    }

    private static func line(_ name: String, _ text: String) -> String {
        "  \(Printable.pad(name, to: 12))  \(Printable.text(text))"
    }
}
