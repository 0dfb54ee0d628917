// The field `Prefer` (RFC 7240).
internal import HTTPWire

/// The preferences of a request that are supported here (RFC 7240); others are ignored.
struct Preferences: Sendable, Equatable {
    /// The longest wait that is granted, in seconds.
    static let waitAtMost = 60

    /// Seconds that the client would wait for the answer; more than a minute counts as a minute.
    private(set) var wait: Int?
    /// `respond-async`: the client prefers not to wait, which is the default here.
    private(set) var isAsynchronous = false

    /// Reads every `Prefer` line; of a repeated preference the first one counts.
    init(_ headers: HeaderFields) {
        var seen: Set<String> = []
        for field in headers.all("Prefer") {
            for item in field.split(separator: ",") {
                let preference = item.prefix { $0 != ";" }
                let parts = preference.split(separator: "=", maxSplits: 1)
                guard let first = parts.first else { continue }
                let name = String(first).trimmed.lowercased()
                guard seen.insert(name).inserted else { continue }
                let value = parts.count > 1 ? Preferences.value(parts[1]) : ""
                switch name {
                case "wait": wait = Preferences.seconds(value)
                case "respond-async": isAsynchronous = value.isEmpty
                default: break
                }
            }
        }
    }

    /// The field `Preference-Applied`, if a preference was applied.
    var applied: [(String, String)] {
        var names = isAsynchronous ? ["respond-async"] : []
        if let wait { names.append("wait=\(wait)") }
        return names.isEmpty ? [] : [("Preference-Applied", names.joined(separator: ", "))]
    }

    private static func value(_ text: Substring) -> String {
        let text = String(text).trimmed
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return text }
        return String(text.dropFirst().dropLast())
    }

    private static func seconds(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return min(Int(text) ?? waitAtMost, waitAtMost)
    }
}
