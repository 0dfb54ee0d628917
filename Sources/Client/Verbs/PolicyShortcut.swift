// The two common policies as one word of a command line; pure.
package import Base

/// A change to a policy document that keeps everything else in it.
package struct PolicyShortcut: Sendable {
    /// The name of the window and of the rule that `night` keeps.
    private static let window = "night"
    private static let rule = "discretionary-at-night"

    /// The document with the change.
    package let document: JSON
    /// The change in lines `PLACE: BEFORE -> AFTER`; empty if nothing changes.
    package let changes: [String]

    private init(_ before: JSONObject, _ after: JSONObject) {
        document = .object(after)
        var lines: [String] = []
        for name in ["time_zone", "windows", "bandwidth", "rules"] {
            let (old, new) = (before[name] ?? .null, after[name] ?? .null)
            guard old != new else { continue }
            lines.append("\(name): \(PolicyShortcut.text(old)) -> \(PolicyShortcut.text(new))")
        }
        changes = lines
    }

    /// The most bytes a second of all downloads together.
    ///
    /// - Parameters:
    ///   - document: the policy in force.
    ///   - rate: such as `5M`, `5MB` or a timetable `06:00,5MB 22:00,off`; `off` for no limit.
    ///   - zone: the name of the zone of a timetable, which is set if the document has none.
    /// - Returns: the change.
    package static func limit(
        _ document: JSONObject, rate: String, zone: String? = nil
    ) -> PolicyShortcut {
        var after = document
        var bandwidth = document["bandwidth"]?.objectValue ?? JSONObject()
        bandwidth["deployment"] = rate == "off" ? nil : .string(rate)
        after["bandwidth"] = bandwidth.isEmpty ? nil : .object(bandwidth)
        // A rate without hours means the same in each zone.
        if rate.contains(":"), document["time_zone"] == nil, let zone {
            after["time_zone"] = .string(zone)
        }
        return PolicyShortcut(document, after)
    }

    /// Hours of the night for downloads whose time does not matter, or for all.
    ///
    /// - Parameters:
    ///   - document: the policy in force.
    ///   - hours: `22-6`, `22:00-06:30`, or `off`.
    ///   - zone: the name of the zone, which is set if the document has none.
    ///   - isForAll: whether all downloads wait for the night.
    /// - Returns: the change.
    /// - Throws: `ClientFailure` with exit status 2 for hours that are none.
    package static func night(
        _ document: JSONObject, hours: String, zone: String?, isForAll: Bool
    ) throws(ClientFailure) -> PolicyShortcut {
        var after = document
        var windows = document["windows"]?.objectValue ?? JSONObject()
        var rules = (document["rules"]?.arrayValue ?? []).filter { $0["name"]?.stringValue != rule }
        if hours == "off" {
            let isUsed = JSON.array(rules).text.contains("window \(window)")
            if !isUsed { windows[window] = nil }
        } else {
            windows[window] = [.string(try times(hours))]
            var new: JSONObject = ["name": .string(rule)]
            if !isForAll { new["match"] = ["is_discretionary": true] }
            new["require"] = [.string("window \(window)")]
            rules.append(.object(new))
            if document["time_zone"] == nil, let zone { after["time_zone"] = .string(zone) }
        }
        after["windows"] = windows.isEmpty ? nil : .object(windows)
        after["rules"] = rules.isEmpty ? nil : .array(rules)
        return PolicyShortcut(document, after)
    }

    /// `22-6` as `22:00-06:00`.
    private static func times(_ text: String) throws(ClientFailure) -> String {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { end in
            let parts = end.split(separator: ":", omittingEmptySubsequences: false)
            guard (1...2).contains(parts.count), let hour = Int(parts[0]), (0...24).contains(hour),
                let minute = parts.count == 2 ? Int(parts[1]) : 0, (0...59).contains(minute),
                hour < 24 || minute == 0
            else { return String?.none }
            return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
        }
        guard ends.count == 2, let from = ends[0], let until = ends[1], from != until else {
            throw .usage("\"\(text)\" are no hours: write 22-6, 22:00-06:30 or off")
        }
        return "\(from)-\(until)"
    }

    private static func text(_ value: JSON) -> String {
        value.isNull ? "none" : value.stringValue ?? value.text
    }
}
