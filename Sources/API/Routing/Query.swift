// The parameters of a request: known ones, each once, or a refusal.
internal import Core
internal import HTTPWire

/// The decoded query of a request.
struct Query: Sendable {
    /// The parameters in the order in which they came.
    var pairs: [(name: String, value: String)] { values }

    private var values: [(name: String, value: String)] = []

    /// No parameters.
    init() {}

    /// Reads a query strictly.
    ///
    /// - Parameters:
    ///   - text: as in `Request.query`.
    ///   - known: the names that the route has a meaning for.
    /// - Throws: `malformed-request` for what cannot be decoded, `validation-failed` for names that
    ///   are unknown or stand twice.
    init(_ text: String?, known: [String]) throws(Problem) {
        guard let text, !text.isEmpty else { return }
        guard let pairs = QueryString.parse(text) else {
            throw Problem(
                .malformedRequest,
                "The query of the request is not name=value pairs with & between them, "
                    + "percent-encoded as UTF-8.")
        }
        var errors: [FieldError] = []
        for pair in pairs {
            let isMember = Query.member(pair.name).map { known.contains($0.of) } ?? false
            if pair.name == "metadata", known.contains(pair.name) {
                errors.append(FieldError("?metadata", "needs a name, metadata[name]=value"))
            } else if !known.contains(pair.name), !isMember {
                let names = known.joined(separator: ", ")
                let hint = known.isEmpty ? "nothing is" : "known are " + names
                errors.append(FieldError("?" + pair.name, "is not known here; " + hint))
            } else if self[pair.name] != nil {
                errors.append(FieldError("?" + pair.name, "stands twice"))
            } else {
                values.append(pair)
            }
        }
        guard errors.isEmpty else { throw .invalid(errors) }
    }

    /// The parameters `name[member]=value`, by their members.
    func members(of name: String) -> [(member: String, value: String)] {
        values.compactMap { pair in
            guard let (member, of) = Query.member(pair.name), of == name else { return nil }
            return (member, pair.value)
        }
    }

    private static func member(_ name: String) -> (member: String, of: String)? {
        guard name.last == "]", let start = name.firstIndex(of: "["), start > name.startIndex
        else { return nil }
        return (String(name[name.index(after: start)...].dropLast()), String(name[..<start]))
    }

    /// The value of a parameter.
    subscript(name: String) -> String? { values.first { $0.name == name }?.value }

    /// True or false.
    ///
    /// - Throws: `validation-failed` for anything else.
    func bool(_ name: String) throws(Problem) -> Bool? {
        switch self[name] {
        case nil: return nil
        case "true": return true
        case "false": return false
        default: throw .invalid("?" + name, "must be true or false")
        }
    }

    /// A whole number in a range.
    ///
    /// - Throws: `validation-failed` for anything else.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = self[name] else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            range.contains(number)
        else {
            throw .invalid(
                "?" + name,
                "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
