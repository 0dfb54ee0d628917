// Reads the text of a requirement.
internal import Base

extension Requirement {
    /// The reason why a text is no requirement.
    struct Fault: Error, Equatable {
        let detail: String
        var suggestion: String?
    }

    /// The windows and conditions that a requirement may name.
    struct Names {
        var windows: Set<String>
        var conditions: [String: ConditionDeclaration]
    }

    /// Reads a requirement.
    ///
    /// - Parameters:
    ///   - text: `[not] window NAME` or `NAME op VALUE [for DURATION] [until op VALUE]`.
    ///   - names: what may be named.
    /// - Throws: `Fault` with what is wrong.
    init(parsing text: String, _ names: Names) throws(Fault) {
        var words = RequirementWords(text)
        let isNegated = words.take("not")
        if words.take("window") {
            let name = try words.word("the name of a window")
            guard names.windows.contains(name) else {
                throw Fault(
                    detail: "names the window \"\(name)\", which is not in windows",
                    suggestion: NearestWord.of(name, among: names.windows))
            }
            try words.end()
            self.init(.window(KeyText(name), isNegated: isNegated))
            return
        }
        guard !isNegated else {
            throw Fault(
                detail: "\"not\" can only stand before \"window\"; for a condition write != or "
                    + "another sign")
        }
        let name = try words.word("\"window\" or the name of a condition")
        guard let declaration = names.conditions[name] else {
            throw Fault(
                detail: "names the condition \"\(name)\", which is neither declared nor built in",
                suggestion: NearestWord.of(name, among: names.conditions.keys + ["window"]))
        }
        let comparison = try words.comparison(declaration)
        var hold = Duration.zero
        if words.take("for") {
            let text = try words.word("a duration")
            do throws(QuantityError) {
                hold = try DurationText.parse(text)
            } catch {
                throw Fault(detail: error.description)
            }
            guard (.zero ... .seconds(86_400)).contains(hold) else {
                throw Fault(detail: "\"for\" takes at most one day")
            }
        }
        var release: Comparison?
        if words.take("until") {
            let band = try words.comparison(declaration)
            guard comparison.comparator.isOrder, band.comparator.isOrder else {
                throw Fault(detail: "\"until\" needs <, <=, > or >= on both sides")
            }
            guard !band.overlaps(comparison) else {
                throw Fault(
                    detail: "\"until \(band)\" overlaps \"\(comparison)\": a value could open and "
                        + "close it at once")
            }
            release = band
        }
        try words.end()
        self.init(.condition(name, comparison), hold: hold, release: release)
    }
}

/// Reads the words of a requirement's text from the left.
private struct RequirementWords {
    private var words: ArraySlice<String>

    init(_ text: String) {
        var words: [String] = []
        var word: [UInt8] = []
        func end() {
            if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            word = []
        }
        var kind = Kind.plain
        for byte in text.utf8 {
            let next = Kind(byte)
            if next != kind || next == .mark { end() }
            kind = next
            if next != .space { word.append(byte) }
        }
        end()
        WorkMeter.add(text.utf8.count)
        self.words = words[...]
    }

    private enum Kind {
        case plain, sign, mark, space

        init(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "!"):
                self = .sign
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ","): self = .mark
            case 0...0x20: self = .space
            default: self = .plain
            }
        }
    }

    /// Takes the given word if it is next.
    mutating func take(_ word: String) -> Bool {
        guard words.first == word else { return false }
        words.removeFirst()
        return true
    }

    /// Takes the next word, whatever it is.
    mutating func word(_ what: String) throws(Requirement.Fault) -> String {
        guard let word = words.popFirst() else {
            throw Requirement.Fault(detail: "ends where \(what) is expected")
        }
        return word
    }

    /// Checks that the text ends here.
    func end() throws(Requirement.Fault) {
        guard let word = words.first else { return }
        throw Requirement.Fault(
            detail: "has \"\(word)\" after its end",
            suggestion: NearestWord.of(word, among: ["for", "until"]))
    }

    /// Takes an operator and its value.
    mutating func comparison(
        _ declaration: ConditionDeclaration
    ) throws(Requirement.Fault) -> Comparison {
        let sign = try word("one of <, <=, >, >=, =, !=, in")
        guard let comparator = Comparison.Operator(rawValue: sign) else {
            throw Requirement.Fault(
                detail: "has \"\(sign)\" where one of <, <=, >, >=, =, !=, in is expected")
        }
        guard !comparator.isOrder || declaration.type == .number else {
            throw Requirement.Fault(
                detail: "compares the size of \"\(declaration.name)\", which is a "
                    + declaration.type.name)
        }
        guard comparator == .isIn else {
            return Comparison(comparator: comparator, values: [try value(declaration)])
        }
        guard take("{") else {
            throw Requirement.Fault(detail: "needs { and values after \"in\"")
        }
        var values: [ConditionValue] = []
        repeat { values.append(try value(declaration)) } while take(",")
        guard take("}") else {
            throw Requirement.Fault(detail: "needs } after the values of \"in\"")
        }
        return Comparison(comparator: comparator, values: values)
    }

    private mutating func value(
        _ declaration: ConditionDeclaration
    ) throws(Requirement.Fault) -> ConditionValue {
        let text = try word("a value")
        let value: ConditionValue
        switch declaration.type {
        case .number: value = .number(try number(text))
        case .boolean:
            guard text == "true" || text == "false" else {
                throw Requirement.Fault(
                    detail: "compares \"\(declaration.name)\" with \"\(text)\", but its values are "
                        + "true and false",
                    suggestion: NearestWord.of(text, among: ["true", "false"]))
            }
            value = .flag(text == "true")
        case .word(let words):
            guard TextForm.isWord(text), words.isEmpty || words.contains(text) else {
                throw Requirement.Fault(
                    detail: "compares \"\(declaration.name)\" with \"\(text)\", but its values are "
                        + words.joined(separator: ", "),
                    suggestion: NearestWord.of(text, among: words))
            }
            value = .word(text)
        }
        return value
    }

    /// A number, or a size such as `50GB`.
    private func number(_ text: String) throws(Requirement.Fault) -> Double {
        let isPlain = text.utf8.allSatisfy { $0 &- 0x30 < 10 || "+-.eE".utf8.contains($0) }
        if isPlain, let number = Double(text), number.isFinite { return number }
        do throws(QuantityError) {
            return Double(try ByteCount.parse(text))
        } catch {
            throw Requirement.Fault(detail: "has \"\(text)\" where a number or a size is expected")
        }
    }
}
