// The policy document, judged member by member.

extension Policy {
    /// Reads a policy document.
    ///
    /// - Parameters:
    ///   - document: as the client sent it.
    ///   - defaults: the limits where the document has none.
    ///   - bandwidth: the deployment's rates where the document has none.
    ///   - isZone: true for a time zone name that the system has rules for.
    /// - Returns: the policy, or every finding.
    package static func parse(
        _ document: JSON, defaults: PolicyLimits, bandwidth: Timetable? = nil,
        isZone: (String) -> Bool
    ) -> Result<Policy, FieldErrors> {
        guard case .object(let object) = document else {
            return .failure([FieldError("#", "must be an object")])
        }
        var reader = FieldReader(object)
        var policy = Policy(limits: defaults)
        policy.document = object
        if let zone = reader.string("time_zone", maximumLength: 64) {
            policy.timeZone = zone
            if !isZone(zone) {
                reader.refuse(
                    "time_zone", "must be an IANA time zone name, for example \"Europe/Berlin\"")
            }
        }
        policy.readWindows(&reader)
        policy.readRules(&reader)
        policy.readLimits(&reader)
        policy.bandwidth = Bandwidth(reading: &reader, standard: bandwidth)
        let errors = reader.finish()
        return errors.isEmpty ? .success(policy) : .failure(errors)
    }

    private mutating func readWindows(_ reader: inout FieldReader) {
        guard let value = reader.value("windows") else { return }
        guard case .object(let object) = value, object.members.count <= 64 else {
            return reader.refuse("windows", "must be an object of at most 64 lists of hours")
        }
        var part = FieldReader(object, at: "#/windows")
        for (name, _) in object.members {
            let findings = part.errors.total
            guard let lines = part.strings(name, maximumCount: 64, maximumLength: 256) else {
                if part.errors.total == findings { part.refuse(name, "must be a list of hours") }
                continue
            }
            do throws(WindowError) {
                windows.append((name, try WeeklyWindows(parsing: lines)))
            } catch {
                part.refuse(name, error.description)
            }
        }
        reader.adopt(part.errors)
    }

    private mutating func readRules(_ reader: inout FieldReader) {
        guard let value = reader.value("rules") else { return }
        guard case .array(let items) = value, items.count <= 64 else {
            return reader.refuse("rules", "must be a list of at most 64 rules")
        }
        for (place, item) in items.enumerated() {
            let path = "#/rules/\(place)"
            guard case .object(let object) = item else {
                reader.adopt([FieldError(path, "must be an object")])
                continue
            }
            var part = FieldReader(object, at: path)
            rules.append(readRule(&part, path: path))
            reader.adopt(part.finish())
        }
        for (place, rule) in rules.enumerated()
        where rules[..<place].contains(where: { $0.name == rule.name }) {
            reader.adopt([FieldError("#/rules/\(place)/name", "is the name of an earlier rule")])
        }
    }

    private func readRule(_ reader: inout FieldReader, path: String) -> PolicyRule {
        let name = reader.string("name", maximumLength: 128) ?? ""
        if name.isEmpty { reader.refuse("name", "is required") }
        if reader.bool("soft") == true {
            reader.refuse("soft", "must be false: soft rules are not in this version")
        }
        var rule = PolicyRule(name: name, isDiscretionary: nil, session: nil, windows: [])
        if let match = reader.value("match") {
            if case .object(let object) = match {
                var part = FieldReader(object, at: path + "/match")
                rule.isDiscretionary = part.bool("is_discretionary")
                rule.session = part.string("session", maximumLength: 128)
                reader.adopt(part.finish())
            } else {
                reader.refuse("match", "must be an object")
            }
        }
        let findings = reader.errors.total
        let requirements = reader.strings("require", maximumCount: 16, maximumLength: 256) ?? []
        if requirements.isEmpty, reader.errors.total == findings {
            reader.refuse("require", "must name at least one requirement")
        }
        for (place, text) in requirements.enumerated() {
            let words = text.split(separator: " ")
            guard words.count == 2, words[0] == "window" else {
                reader.adopt([
                    FieldError(
                        path + "/require/\(place)",
                        "must be \"window NAME\"; other requirements are not in this version")
                ])
                continue
            }
            // A window whose hours are wrong has a finding of its own.
            guard document["windows"]?[String(words[1])] != nil else {
                reader.adopt([
                    FieldError(
                        path + "/require/\(place)",
                        "names the window \"\(words[1])\", which is not in windows")
                ])
                continue
            }
            rule.windows.append(String(words[1]))
        }
        return rule
    }

    private mutating func readLimits(_ reader: inout FieldReader) {
        guard let value = reader.value("limits") else { return }
        guard case .object(let object) = value else {
            return reader.refuse("limits", "must be an object")
        }
        var part = FieldReader(object, at: "#/limits")
        func limit(_ key: String, _ current: Int) -> Int {
            part.integer(key, in: 1...10_000).map { Int($0) } ?? current
        }
        limits.running = limit("running", limits.running)
        limits.perOrigin = limit("per_origin", limits.perOrigin)
        limits.perSession = limit("per_session", limits.perSession)
        reader.adopt(part.finish())
    }
}
