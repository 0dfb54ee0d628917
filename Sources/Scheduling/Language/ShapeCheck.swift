// Checks a document by its shape and reports every error with its pointer.
internal import Base

/// Compares values with shapes.
struct ShapeCheck {
    /// The findings so far; beyond a bound they are only counted.
    private(set) var findings: [PolicyFinding] = []
    private(set) var omitted = 0

    /// Adds a finding; it is created only if it is kept.
    mutating func add(_ finding: @autoclosure () -> PolicyFinding) {
        guard findings.count < FieldErrors.listedAtMost else { return omitted += 1 }
        WorkMeter.add(1)
        findings.append(finding())
    }

    private mutating func refuse(_ pointer: String, _ detail: @autoclosure () -> String) {
        add(PolicyFinding(pointer, .error, detail()))
    }

    /// Adds the errors of a value.
    mutating func check(_ value: JSON, _ shape: Shape, at pointer: String) {
        WorkMeter.add(1)
        switch shape {
        case .flag where value.boolValue != nil: return
        case .integer(let range):
            if let number = value.integerValue, range.contains(number) { return }
        case .number(let range):
            if let number = value.doubleValue, range.contains(number) { return }
        case .word(let words):
            guard case .string(let text) = value else { break }
            guard !words.contains(text) else { return }
            return add(
                PolicyFinding(
                    pointer, .error, "must be \(shape.phrase)",
                    suggestion: NearestWord.of(text, among: words)))
        case .text(let form):
            guard case .string(let text) = value else { break }
            if let complaint = form.complaint(text) { refuse(pointer, complaint) }
            return
        case .list(let item, let count):
            guard case .array(let items) = value, count.contains(items.count) else { break }
            for (place, part) in items.enumerated() { check(part, item, at: "\(pointer)/\(place)") }
            return
        case .object(let members):
            guard case .object(let object) = value else { break }
            return check(object, members, at: pointer)
        case .map(let item, let names, let atMost):
            guard case .object(let object) = value, object.count <= atMost else { break }
            return check(object, item, names, at: pointer)
        case .any(let shapes):
            guard let fitting = shapes.first(where: { $0.takesKind(of: value) }) else { break }
            return check(value, fitting, at: pointer)
        default: break
        }
        refuse(pointer, "must be \(shape.phrase)")
    }

    private mutating func check(
        _ object: JSONObject, _ item: Shape, _ names: TextForm, at pointer: String
    ) {
        let places = LayeredObject.Layer(object, at: pointer)
        for (key, value) in object.members {
            if let complaint = names.complaint(key) {
                refuse(places.pointer(key), "is a name that \(complaint)")
            } else {
                check(value, item, at: places.pointer(key))
            }
        }
    }

    private mutating func check(
        _ object: JSONObject, _ members: [ShapeMember], at pointer: String
    ) {
        let places = LayeredObject.Layer(object, at: pointer)
        var unknown = object.positions()
        for member in members {
            let place = unknown.removeValue(forKey: KeyText(member.name))
            let value = place.map { object.members[$0].value }
            guard let value, !value.isNull else {
                if member.isRequired { refuse(places.pointer(member.name), "is required") }
                continue
            }
            check(value, member.shape, at: places.pointer(member.name))
        }
        let known = members.map(\.name)
        var isListed = false
        for place in unknown.values.sorted() {
            let key = object.members[place].key
            let list =
                isListed ? "" : "; the known members are " + known.sorted().joined(separator: ", ")
            isListed = true
            add(
                PolicyFinding(
                    places.pointer(key), .error, "is unknown" + list,
                    suggestion: NearestWord.of(key, among: known)))
        }
    }
}

extension Shape {
    /// Whether the shape allows values of this kind.
    fileprivate func takesKind(of value: JSON) -> Bool {
        switch (self, value) {
        case (.flag, .bool), (.integer, .integer), (.integer, .number), (.number, .integer),
            (.number, .number), (.word, .string), (.text, .string), (.list, .array),
            (.object, .object), (.map, .object):
            true
        case (.any(let shapes), _): shapes.contains { $0.takesKind(of: value) }
        default: false
        }
    }
}
