// The API's documents as lines for people; pure.
package import Base

/// Makes texts about one download.
package enum DownloadText {
    /// The members of a download that mean something to people, one on a line.
    package static func lines(of document: JSON, _ clock: InstantText) -> [String] {
        guard let view = DownloadView(document) else { return [] }
        var rows = [[view.id, view.sentence(clock)]]
        let amount =
            view.expected.map { "\(NumberText.size(view.received)) of \(NumberText.size($0))" }
            ?? NumberText.size(view.received)
        rows += [["  name", view.name], ["  bytes", amount]]
        rows += sending(document)
        for member in document.objectValue?.members ?? [] {
            guard !hidden.contains(member.key),
                let text = SizeMember.text(member.key, member.value) ?? text(member.value, clock)
            else { continue }
            rows.append(["  \(member.key)", text])
        }
        if let sha256 = view.sha256 { rows.append(["  sha256", sha256]) }
        for blocker in document["blockers"]?.arrayValue ?? [] {
            rows.append(["  waits", sentence(of: blocker, clock)])
        }
        return rows.map { row in
            row[0].hasPrefix("  ")
                ? "\(Printable.pad(row[0], to: 26))  \(Printable.text(row[1]))"
                : "\(row[0]) \(Printable.text(row[1]))"
        }
    }

    /// The members that are shown in other words, or mean nothing to people.
    private static let hidden: Set = [
        "id", "state", "blockers", "content", "error", "sequence", "response", "resume", "headers",
        "count_of_bytes_received", "count_of_bytes_expected_to_receive", "filename", "body_bytes",
        "count_of_bytes_sent", "sent", "length",
    ]

    /// How much was sent to the receiver of the file, and how it answered.
    private static func sending(_ document: JSON) -> [[String]] {
        var rows: [[String]] = []
        if let bytes = document["count_of_bytes_sent"]?.integerValue, bytes > 0 {
            rows.append(["  bytes sent", NumberText.size(bytes)])
        }
        guard let answer = document["sent"], let status = answer["status"]?.integerValue else {
            return rows
        }
        let words = answer["body"]?["text"]?.stringValue.map { ": " + $0 } ?? ""
        rows.append(["  answer", "\(status)\(words)"])
        return rows
    }

    /// An attempt in one line.
    package static func attempt(_ document: JSON, _ clock: InstantText) -> String {
        let number = document["attempt"]?.integerValue ?? 0
        var parts = ["  attempt \(number): \(document["outcome"]?.stringValue ?? "running")"]
        if document["direction"] == "send" { parts.append("sent to the receiver") }
        if let began = instant(document["started_at"]) {
            parts.append("began \(clock.show(began))")
        }
        for (key, name) in [
            ("lookup_us", "look-up"), ("connect_us", "connect"), ("tls_us", "tls"),
            ("first_byte_us", "first byte"), ("total_us", "all"),
        ] {
            guard let value = document[key]?.integerValue else { continue }
            parts.append("\(name) \(value / 1000) ms")
        }
        if let status = document["http_status"]?.integerValue { parts.append("status \(status)") }
        if let from = document["resumed_from"]?.integerValue, from > 0 {
            parts.append("continued after \(NumberText.size(from))")
        }
        if let detail = document["error"]?["detail"]?.stringValue {
            parts.append(PlainWords.of(detail))
        }
        if let words = document["transport_error"]?.stringValue { parts.append(words) }
        return Printable.text(parts.joined(separator: ", "))
    }

    /// The reasons why a download waits: the summary, each blocker, and the forecast.
    package static func explanation(_ document: JSON, _ clock: InstantText) -> [String] {
        let summary = document["summary"]?.stringValue ?? "no details are known"
        let until = instant(document["until"])
        var lines = [clock.localized(summary, distanceOf: until)]
        let blockers = document["blockers"]?.arrayValue ?? []
        for blocker in blockers {
            let detail = blocker["detail"]?.stringValue ?? ""
            let isSaid = blockers.count == 1 && summary.lowercased().contains(detail.lowercased())
            lines.append("  " + sentence(of: blocker, clock, withDetail: !isSaid))
        }
        if let error = document["error"], let code = error["code"]?.stringValue {
            lines.append("  cause: \(error["detail"]?.stringValue ?? code) (\(code))")
        }
        if let remedy = document["remedy"]?.stringValue { lines.append("  remedy: \(remedy)") }
        if let until {
            // An instant that has passed says nothing: a place has to become free.
            let isAhead = instant(document["as_of"]).map { $0 < until } ?? true
            if isAhead, !summary.contains(until.rfc3339) {
                lines.append("  may begin: \(clock.showWithDistance(until))")
            }
        } else if let known = instant(document["earliest_known"]),
            instant(document["as_of"]).map({ $0 < known }) ?? true
        {
            lines.append("  not before: \(clock.showWithDistance(known))")
        }
        if let expected = document["expected"], let likely = instant(expected["begin"]?["p50"]) {
            let bounds = ["p10", "p90"].compactMap { instant(expected["begin"]?[$0]) }
                .map { clock.show($0) }
            let range =
                bounds.count == 2 && bounds[0] != bounds[1]
                ? ", between \(bounds[0]) and \(bounds[1])" : ""
            lines.append(
                "  will probably begin: \(clock.showWithDistance(likely))\(range); confidence: "
                    + ForecastVerb.confidence(expected))
        }
        if let end = instant(document["expected"]?["end"]?["p50"]) {
            lines.append("  will probably end: \(clock.showWithDistance(end))")
        }
        return lines.map { Printable.text(PlainWords.of($0)) }
    }

    private static func sentence(
        of blocker: JSON, _ clock: InstantText, withDetail: Bool = true
    ) -> String {
        let code = blocker["code"]?.stringValue ?? "unknown"
        let detail = PlainWords.of(blocker["detail"]?.stringValue ?? code)
        let until = instant(blocker["until"])
        var parts: [String] = []
        if let since = instant(blocker["since"]) { parts.append("since \(clock.show(since))") }
        if let until, !detail.contains(until.rfc3339) {
            parts.append("until \(clock.showWithDistance(until))")
        }
        if let rule = blocker["rule"]?.stringValue { parts.append("by the rule \"\(rule)\"") }
        if let waived = instant(blocker["waived_at"]) {
            parts.append("given up at \(clock.show(waived))")
        }
        let head = withDetail ? clock.localized(detail, distanceOf: until) : code
        return ([head] + parts).joined(separator: ", ")
    }

    private static func instant(_ value: JSON?) -> Timestamp? {
        value?.stringValue.flatMap { Timestamp(rfc3339: $0) }
    }

    /// A value for people; nil for an unset one.
    private static func text(_ value: JSON, _ clock: InstantText) -> String? {
        switch value {
        case .null, .bool(false): nil
        case .string(let text): Timestamp(rfc3339: text).map { clock.show($0) } ?? text
        case .array(let list) where list.isEmpty: nil
        case .object(let object) where object.isEmpty: nil
        default: value.text
        }
    }
}
