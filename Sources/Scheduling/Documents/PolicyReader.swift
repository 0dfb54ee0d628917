// Makes a policy from a document whose shape is right.
internal import Base

/// Reads the members of a document, and collects the errors in their texts.
struct PolicyReader {
    static let unknownZone = PolicyFinding(
        "#/time_zone", .error,
        "must be an IANA time zone name, for example \"Europe/Berlin\"")

    private(set) var policy: Policy
    private(set) var findings: [PolicyFinding] = []
    private let object: JSONObject
    private let base: Policy?
    /// The app that the document belongs to; empty for the deployment's.
    private let owner: String
    private let standardBandwidth: Timetable?
    private var names = Requirement.Names(windows: [], conditions: [:])

    init(
        _ object: JSONObject, _ defaults: PolicyLimits, _ bandwidth: Timetable?, _ base: Policy?,
        of owner: String
    ) {
        self.object = object
        self.base = base
        self.owner = owner
        standardBandwidth = bandwidth
        policy = Policy(limits: defaults)
        policy.document = object
    }

    mutating func readAll(isZone: (String) -> Bool) {
        let zone = object["time_zone"]?.stringValue
        policy.timeZone = base?.timeZone ?? zone ?? "UTC"
        if let zone, !isZone(zone) { findings.append(PolicyReader.unknownZone) }
        readWindows()
        readConditions()
        readRules()
        readLimits()
        readBudgets()
        policy.bandwidth = Bandwidth(object["bandwidth"], standard: standardBandwidth)
        readShares()
        findings += PolicyWarnings.of(policy).filter { finding in
            // A document of an app does not get the deployment's unused declarations.
            base == nil
                || !finding.pointer.hasPrefix("#/conditions/")
                    && !(base?.windows ?? []).contains { finding.pointer == "#/windows/\($0.name)" }
        }
        if let base { settle(over: base) }
    }

    /// Relates an app's document to the deployment's: reports members without effect, and gives the
    /// app's windows names of their own.
    private mutating func settle(over base: Policy) {
        findings += AppPolicyFindings.of(policy, object, over: base, app: owner)
        let own = Set(
            (object["windows"]?.objectValue?.members ?? []).map { KeyText($0.key) })
        policy.windows = policy.windows.filter { own.contains(KeyText($0.name)) }.map {
            ("\(owner)/\($0.name)", $0.hours)
        }
        policy.conditions = []
        for place in policy.rules.indices {
            policy.rules[place].requirements = policy.rules[place].requirements.map { requirement in
                guard case .window(let name, let isNegated) = requirement.subject,
                    own.contains(name)
                else { return requirement }
                return Requirement(.window(KeyText("\(owner)/\(name)"), isNegated: isNegated))
            }
        }
    }

    private mutating func add(
        _ pointer: String, _ level: FindingLevel = .error, _ detail: String,
        suggestion: String? = nil
    ) {
        findings.append(PolicyFinding(pointer, level, detail, suggestion: suggestion))
    }

    /// The objects of a list with their pointers.
    private func items(_ name: String) -> [(pointer: String, object: JSONObject)] {
        (object[name]?.arrayValue ?? []).enumerated().compactMap { place, item in
            item.objectValue.map { ("#/\(name)/\(place)", $0) }
        }
    }

    private mutating func readWindows() {
        policy.windows = base?.windows ?? []
        let places = LayeredObject.Layer(
            object["windows"]?.objectValue ?? JSONObject(), at: "#/windows")
        for (name, value) in places.object.members {
            if base?.window(KeyText(name)) != nil {
                add(
                    places.pointer(name), .error,
                    "is already the name of a window of the deployment's policy")
            }
            do throws(WindowError) {
                let lines = value.arrayValue?.compactMap(\.stringValue) ?? []
                policy.windows.append((name, try WeeklyWindows(parsing: lines)))
            } catch {
                add(places.pointer(name), .error, error.description)
            }
        }
        names.windows = Set(policy.windows.map(\.name))
    }

    private mutating func readConditions() {
        policy.conditions = base?.conditions ?? []
        let places = LayeredObject.Layer(
            object["conditions"]?.objectValue ?? JSONObject(), at: "#/conditions")
        for (name, value) in places.object.members {
            let pointer = places.pointer(name)
            if BuiltInCondition(rawValue: name) != nil || name == "window" || name == "not" {
                add(pointer, .error, "is a built-in name; use another one")
            }
            guard let object = value.objectValue else { continue }
            policy.conditions.append(readDeclaration(name, object, at: pointer))
        }
        for declaration in policy.conditions + BuiltInCondition.allCases.map(\.declaration) {
            names.conditions[declaration.name] = declaration
        }
    }

    private mutating func readDeclaration(
        _ name: String, _ object: JSONObject, at pointer: String
    ) -> ConditionDeclaration {
        let words = object["words"]?.arrayValue?.compactMap(\.stringValue)
        let type: ConditionType =
            switch object["type"]?.stringValue {
            case "word": .word(words ?? [])
            case "boolean": .boolean
            default: .number
            }
        if words != nil, type.name != "word" {
            add(pointer + "/words", .error, "is only for conditions of type word")
        }
        if words == nil, type.name == "word" {
            add(pointer + "/words", .error, "is required for a condition of type word")
        }
        var declaration = ConditionDeclaration(
            name: name, type: type, unit: object["unit"]?.stringValue)
        if let standard = object["default"].flatMap({ ConditionValue($0) }) {
            declaration.standard = standard
            if let complaint = type.complaint(standard) {
                add(pointer + "/default", .error, complaint)
            }
        }
        declaration.ttl = duration(object["ttl"])
        if declaration.ttl == .zero { add(pointer + "/ttl", .error, "must be longer than 0") }
        return declaration
    }

    private func duration(_ json: JSON?) -> Duration? {
        guard let text = json?.stringValue else { return nil }
        do throws(QuantityError) { return try DurationText.parse(text) } catch { return nil }
    }

    private mutating func readMatch(_ object: JSONObject, at pointer: String) -> Match {
        let match = Match(object["match"]?.objectValue ?? JSONObject())
        if match.isEmpty {
            add(pointer + "/match", .error, "has a range whose max is not greater than its min")
        }
        return match
    }

    private mutating func readRules() {
        var known: Set<KeyText> = []
        for (pointer, object) in items("rules") {
            let name = object["name"]?.stringValue ?? ""
            if !known.insert(KeyText(name)).inserted {
                add(pointer + "/name", .error, "is already the name of another rule")
            }
            let isSoft = object["soft"]?.boolValue ?? false
            var rule = PolicyRule(
                name: name, match: readMatch(object, at: pointer), requirements: [],
                isSoft: isSoft, atClose: isSoft ? .stop : .finish)
            let texts = object["require"]?.arrayValue?.compactMap(\.stringValue) ?? []
            // A rule with nothing but a preference stops runs, as soft rules do.
            if texts.isEmpty { rule.atClose = .stop }
            if let word = object["at_close"]?.stringValue {
                rule.atClose = PolicyRule.AtClose(rawValue: word) ?? rule.atClose
            }
            for (place, text) in texts.enumerated() {
                do throws(Requirement.Fault) {
                    rule.requirements.append(try Requirement(parsing: text, names))
                } catch {
                    add(
                        pointer + "/require/\(place)", .error, error.detail,
                        suggestion: error.suggestion)
                }
            }
            rule.preference = readPreference(object, at: pointer)
            if texts.isEmpty, object["prefer"] == nil {
                add(pointer + "/require", .error, "must name at least one requirement")
            }
            policy.rules.append(rule)
        }
    }

    private mutating func readPreference(
        _ object: JSONObject, at pointer: String
    ) -> Preference? {
        guard let text = object["prefer"]?.stringValue else { return nil }
        guard let preference = Preference(text) else {
            add(pointer + "/prefer", .error, "must be \(TextForm.preference.phrase)")
            return nil
        }
        guard let declaration = names.conditions[preference.condition] else {
            add(
                pointer + "/prefer", .error,
                "names the condition \"\(preference.condition)\", which is neither declared nor "
                    + "built in",
                suggestion: NearestWord.of(preference.condition, among: names.conditions.keys))
            return preference
        }
        if declaration.type != .number {
            add(pointer + "/prefer", .error, "needs a condition of type number")
        } else if BuiltInCondition(rawValue: declaration.name)?.isMeasured == true {
            add(
                pointer + "/prefer", .noEffect,
                "names a measured condition, whose later values are not known; push a condition "
                    + "with a schedule")
        }
        return preference
    }

    private mutating func readLimits() {
        guard let object = object["limits"]?.objectValue else { return }
        func entries(_ name: String) -> [(String, Int)] {
            if let number = object[name]?.integerValue { return [("*", Int(number))] }
            return (object[name]?.objectValue?.members ?? []).map {
                ($0.key, Int($0.value.integerValue ?? 1))
            }
        }
        func number(_ name: String) -> Int? { object[name]?.integerValue.map { Int($0) } }
        policy.limits.running = number("running") ?? policy.limits.running
        policy.limits.perReplica = number("per_replica") ?? policy.limits.perReplica
        let apps = entries("per_app")
        policy.limits.perApp = apps.last { $0.0 == "*" }?.1 ?? policy.limits.perApp
        policy.limits.apps = PatternTable(names: apps.filter { $0.0 != "*" })
        let origins = entries("per_origin")
        policy.limits.perOrigin = origins.last { $0.0 == "*" }?.1 ?? policy.limits.perOrigin
        policy.limits.origins = PatternTable(origins: origins.filter { $0.0 != "*" })
        let sessions = entries("per_session")
        policy.limits.perSession = sessions.last { $0.0 == "*" }?.1 ?? policy.limits.perSession
        policy.limits.sessions = PatternTable(names: sessions.filter { $0.0 != "*" })
    }

    private mutating func readBudgets() {
        var known: Set<KeyText> = []
        for (pointer, object) in items("budgets") {
            let name = object["name"]?.stringValue ?? ""
            if !known.insert(KeyText(name)).inserted {
                add(pointer + "/name", .error, "is already the name of another budget")
            }
            let bytes = object["bytes"].flatMap { ByteCount.read($0) } ?? 0
            if bytes == 0 { add(pointer + "/bytes", .error, "must be more than 0") }
            func word<Value: RawRepresentable<String>>(_ member: String, _ usual: Value) -> Value {
                object[member]?.stringValue.flatMap { Value(rawValue: $0) } ?? usual
            }
            policy.budgets.append(
                Budget(
                    owner: owner, name: name, match: readMatch(object, at: pointer), bytes: bytes,
                    period: word("per", .day), scope: word("scope", .deployment),
                    counts: word("counts", .both),
                    isHard: object["hard"]?.boolValue ?? false,
                    isPaced: object["pace"]?.stringValue == "even"))
        }
    }

    private mutating func readShares() {
        if let shares = object["shares"]?.objectValue {
            func weights(_ name: String) -> PatternTable<Double> {
                PatternTable(
                    names: (shares[name]?.objectValue?.members ?? []).map {
                        ($0.key, $0.value.doubleValue ?? 1)
                    })
            }
            policy.shares.apps = weights("app")
            policy.shares.sessions = weights("session")
            policy.shares.discretionaryFloor =
                shares["discretionary_floor"]?.doubleValue ?? policy.shares.discretionaryFloor
        }
        let deadlines = object["guard"]
        policy.deadlines.quantile = deadlines?["quantile"]?.doubleValue ?? policy.deadlines.quantile
        policy.deadlines.margin = duration(deadlines?["margin"]) ?? policy.deadlines.margin
    }
}
