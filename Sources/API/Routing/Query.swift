// The query of a request: known parameters, or a refusal.
internal import Base
internal import HTTPWire

/// The decoded query of a request.
struct Query: Sendable {
    /// The parameters in the order of the query.
    private(set) var pairs: [(name: String, value: String)] = []

    /// Creates an empty query.
    init() {}

    /// Reads a query strictly; names are compared after decoding.
    ///
    /// - Parameters:
    ///   - text: as in `Request.query`.
    ///   - known: what the route has a meaning for.
    /// - Throws: `malformed-request` for what cannot be decoded, `validation-failed` for names that
    ///   are unknown or stand too often.
    init(_ text: String?, known: [Parameter]) throws(Problem) {
        guard let text, !text.isEmpty else { return }
        guard let pairs = QueryString.parse(text) else {
            throw Problem(
                .malformedRequest,
                "The query must be name=value pairs with & between them, percent-encoded as UTF-8.")
        }
        var errors = FieldErrors()
        var seen: Set<KeyText> = []
        for pair in pairs {
            WorkMeter.add(known.count)
            if let fault = Query.fault(pair.name, known, &seen) {
                errors.append(FieldError("?" + pair.name, fault))
            } else {
                self.pairs.append(pair)
            }
        }
        guard errors.isEmpty else { throw .invalid(errors) }
    }

    /// The error of a name; nil for a good one.
    private static func fault(
        _ name: String, _ known: [Parameter], _ seen: inout Set<KeyText>
    ) -> String? {
        if let parameter = known.first(where: { isSame($0.name, name) }) {
            switch parameter.kind {
            case .list: return nil
            case .map: return "needs a name in brackets: \(name)[name]=value"
            case .single: break
            }
        } else {
            guard let (_, of) = member(name),
                known.contains(where: { $0.kind == .map && isSame($0.name, of) })
            else { return unknown(known) }
        }
        return seen.insert(KeyText(name)).inserted ? nil : "is given more than once"
    }

    private static func unknown(_ known: [Parameter]) -> String {
        let names = known.map { $0.kind == .map ? $0.name + "[name]" : $0.name }
        return "is unknown: "
            + (names.isEmpty
                ? "this path has no parameters"
                : "the known parameters are " + names.joined(separator: ", "))
    }

    /// The parameters `name[member]=value`, by their members.
    func members(of name: String) -> [(member: String, value: String)] {
        pairs.compactMap { pair in
            guard let (member, of) = Query.member(pair.name), of == name else { return nil }
            return (member, pair.value)
        }
    }

    /// Splits `name[member]=value`; a member is not empty, and brackets in it are in pairs.
    private static func member(_ name: String) -> (member: String, of: String)? {
        guard name.utf8.last == UInt8(ascii: "]"),
            let start = name.utf8.firstIndex(of: UInt8(ascii: "["))
        else { return nil }
        let member = name.utf8[name.utf8.index(after: start)...].dropLast()
        var depth = 0
        for byte in member where depth >= 0 {
            if byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "]") { depth -= 1 }
        }
        guard !member.isEmpty, depth == 0 else { return nil }
        return (String(Substring(member)), String(name[..<start]))
    }

    /// Whether two texts have equal bytes; texts that only look alike differ.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }

    /// The value of a parameter with a single value.
    subscript(name: String) -> String? { pairs.first { Query.isSame($0.name, name) }?.value }

    /// The values of a list parameter, from all its places; nil without it.
    func list(_ name: String) -> [String]? {
        let values = pairs.filter { Query.isSame($0.name, name) }.flatMap {
            $0.value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        return values.isEmpty ? nil : values
    }

    /// The boolean value of a parameter.
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

    /// The whole number of a parameter, in a range.
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
