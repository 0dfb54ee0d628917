// The schedule of a source as one word of a command line: `6h`, `auto`, `15 2 * * *`; pure.
package import Base

/// Reads and prints schedules, and the rule for how long versions are kept.
package enum ScheduleWords {
    /// The schedule for a word, with null for the members that it does not have.
    ///
    /// - Parameters:
    ///   - text: a duration, `auto`, or a cron expression, which has spaces.
    ///   - zone: the time zone of the cron expression; nil for UTC.
    /// - Returns: a merge patch of a schedule.
    /// - Throws: `ClientFailure` with exit status 2 for a word that is neither.
    package static func schedule(
        _ text: String, zone: String?
    ) throws(ClientFailure) -> JSONObject {
        if text.contains(" ") {
            return [
                "every": .null, "cron": .string(text),
                "time_zone": .string(zone ?? "UTC"),
            ]
        }
        if text != "auto" {
            do throws(QuantityError) {
                _ = try DurationText.parse(text)
            } catch {
                throw .usage(
                    "\"\(text)\" is not a schedule: write a time such as 6h, auto for as often as "
                        + "it changes, or five fields in quotes as cron has them, such as "
                        + "'15 2 * * *'")
            }
        }
        return ["every": .string(text), "cron": .null, "time_zone": .null]
    }

    /// The rule of `--keep`: `3` for the last three versions, `30d` for versions younger than that.
    ///
    /// - Parameter texts: one of each kind at most.
    /// - Returns: the rule; nil without a text.
    /// - Throws: `ClientFailure` with exit status 2 for a text that is neither.
    package static func keep(_ texts: [String]) throws(ClientFailure) -> JSON? {
        var rule = JSONObject()
        for text in texts {
            let name = Int64(text) == nil ? "for" : "last"
            guard rule[name] == nil else {
                throw .usage("--keep: \"\(text)\" is a second rule of one kind")
            }
            if let count = Int64(text) {
                rule[name] = .integer(count)
                continue
            }
            do throws(QuantityError) {
                _ = try DurationText.parse(text)
            } catch {
                throw .usage(
                    "--keep: \"\(text)\" is neither a number of versions, such as 3, nor a time, "
                        + "such as 30d")
            }
            rule[name] = .string(text)
        }
        return rule.isEmpty ? nil : .object(rule)
    }

    /// The name of a source for a URL: its last part, else its host.
    ///
    /// - Parameter url: the address of the file.
    /// - Returns: a name of 1 to 128 characters that a source may have.
    package static func name(for url: String) -> String {
        let bare = url.prefix { $0 != "?" && $0 != "#" }
        let place = bare.firstRange(of: "://").map { bare[$0.upperBound...] } ?? bare[...]
        let parts = place.split(separator: "/")
        let chosen = parts.last.map(String.init) ?? "source"
        var name = ""
        for byte in chosen.utf8.prefix(128) {
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.isASCII && scalar.properties.isAlphabetic || isDigit(byte)
            // A name begins with a letter or digit.
            let isMark = byte == 0x2d || byte == 0x2e || byte == 0x5f
            if isPlain || isMark && !name.isEmpty {
                name.unicodeScalars.append(scalar)
            } else if !name.isEmpty {
                name += "-"
            }
        }
        return name.isEmpty ? "source" : name
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// A schedule in the words of the command line, with its time zone.
    package static func text(_ schedule: JSON) -> String {
        if let cron = schedule["cron"]?.stringValue {
            return "\(cron) (\(schedule["time_zone"]?.stringValue ?? "UTC"))"
        }
        let every = schedule["every"]?.stringValue ?? "?"
        return every == "auto" ? "as often as it changes" : "every \(every)"
    }

    /// The rule for how long versions are kept, in words; nil for the usual retention.
    package static func text(ofKeep rule: JSON?) -> String? {
        let parts = [
            rule?["last"]?.integerValue.map { $0 == 1 ? "the last one" : "the last \($0)" },
            rule?["for"]?.stringValue.map { "those younger than \($0)" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " and ")
    }
}
