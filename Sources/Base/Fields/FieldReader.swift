// Reads documents that clients sent.

/// Reads the members of an object, collects errors, and knows which members were not read.
package struct FieldReader {
    private let object: LayeredObject
    private var known: [String] = []
    /// The places of the object's own members that were read.
    private var read = SmallIndexSet()
    /// The errors so far, in the order of reading.
    package private(set) var errors = FieldErrors()

    /// Begins to read an object that stands at a pointer.
    ///
    /// - Parameters:
    ///   - object: the members.
    ///   - path: the pointer of the object, `#` for the document.
    package init(_ object: JSONObject, at path: String = "#") {
        self.init(LayeredObject(LayeredObject.Layer(object, at: path)))
    }

    /// Begins to read an object with default layers beneath it.
    package init(_ object: LayeredObject) {
        self.object = object
        known.reserveCapacity(64)
    }

    /// Adds an error about a member; it is created only if the list has room.
    package mutating func refuse(_ key: String, _ detail: @autoclosure () -> String) {
        guard errors.hasRoom else { return errors.omit(1) }
        let finding = FieldError(pointer(key), detail())
        errors.append(finding)
    }

    /// Adds an error about an item of a member that is a list.
    package mutating func refuse(
        _ key: String, at place: Int, _ detail: @autoclosure () -> String
    ) {
        guard errors.hasRoom else { return errors.omit(1) }
        let finding = FieldError(pointer(key) + "/\(place)", detail())
        errors.append(finding)
    }

    /// Takes over the errors of a reader of a part.
    package mutating func adopt(_ others: FieldErrors) { errors.append(contentsOf: others) }

    /// The pointer of a member; see `LayeredObject.pointer(_:)`.
    package func pointer(_ key: String) -> String { object.pointer(key) }

    /// The value of a member; nil where it is absent or null.
    package mutating func value(_ key: String) -> JSON? {
        known.append(key)
        if let position = object.own.position(of: key) {
            read.insert(position)
            let value = object.own.object.members[position].value
            guard !value.isNull else { return nil }
            return value
        }
        guard let (layer, position) = object.findBeneath(key) else { return nil }
        let value = layer.object.members[position].value
        guard !value.isNull else { return nil }
        return value
    }

    /// Whether a member is given as null, by the object or by the defaults beneath it.
    package func isNull(_ key: String) -> Bool {
        if let position = object.own.position(of: key) {
            return object.own.object.members[position].value.isNull
        }
        guard let (layer, position) = object.findBeneath(key) else { return false }
        return layer.object.members[position].value.isNull
    }

    /// The text of a member, of bounded length.
    package mutating func string(_ key: String, maximumLength: Int) -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let text) = value else {
            refuse(key, "must be a string")
            return nil
        }
        guard text.utf8.count <= maximumLength else {
            refuse(key, "must have at most \(maximumLength) bytes, but has \(text.utf8.count)")
            return nil
        }
        return text
    }

    /// The word of a member, one of an enumeration.
    package mutating func word<Value: RawRepresentable<String> & CaseIterable>(
        _ key: String, of type: Value.Type
    ) -> Value? {
        guard let text = string(key, maximumLength: 32) else { return nil }
        if let value = Value(rawValue: text) { return value }
        let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
        refuse(key, "must be one of \(known)")
        return nil
    }

    /// The boolean of a member.
    package mutating func bool(_ key: String) -> Bool? {
        guard let value = value(key) else { return nil }
        guard case .bool(let flag) = value else {
            refuse(key, "must be true or false")
            return nil
        }
        return flag
    }

    /// The whole number of a member, in a range.
    package mutating func integer(_ key: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let number = value.integerValue, range.contains(number) else {
            refuse(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    /// The number of a member, in a range.
    package mutating func number(_ key: String, in range: ClosedRange<Double>) -> Double? {
        guard let value = value(key) else { return nil }
        switch value {
        case .integer(let number) where range.contains(Double(number)): return Double(number)
        case .number(let number) where range.contains(number): return number
        default:
            refuse(key, "must be a number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
    }

    /// The instant of a member, as RFC 3339 writes it.
    package mutating func timestamp(_ key: String) -> Timestamp? {
        guard let value = value(key) else { return nil }
        guard case .string(let text) = value, text.utf8.count <= 64,
            let instant = Timestamp(rfc3339: text)
        else {
            refuse(
                key, "must be an RFC 3339 date with a zone, for example \"2026-11-22T01:00:00Z\"")
            return nil
        }
        return instant
    }

    /// The duration of a member, such as `6h`, in whole seconds, in a range.
    package mutating func duration(_ key: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let text = string(key, maximumLength: 64) else { return nil }
        let milliseconds: Int64
        do throws(QuantityError) {
            milliseconds = try DurationText.parse(text).wholeMilliseconds
        } catch {
            refuse(key, error.description)
            return nil
        }
        guard milliseconds % 1000 == 0, range.contains(milliseconds / 1000) else {
            let ends = [range.lowerBound, range.upperBound].map { DurationText.print(.seconds($0)) }
            refuse(key, "must be whole seconds, from \(ends[0]) to \(ends[1])")
            return nil
        }
        return milliseconds / 1000
    }

    /// The list of texts of a member, each of bounded length.
    package mutating func strings(
        _ key: String, maximumCount: Int, maximumLength: Int = 1024
    ) -> [String]? {
        guard let value = value(key) else { return nil }
        guard case .array(let items) = value, items.count <= maximumCount else {
            refuse(key, "must be a list of at most \(maximumCount) strings")
            return nil
        }
        var texts: [String] = []
        for (place, item) in items.enumerated() {
            guard case .string(let text) = item else {
                refuse(key, at: place, "must be a string")
                return nil
            }
            guard text.utf8.count <= maximumLength else {
                refuse(
                    key, at: place,
                    "must have at most \(maximumLength) bytes, but has \(text.utf8.count)")
                return nil
            }
            texts.append(text)
        }
        return texts
    }

    /// Ends the reading: every member of the object itself that was not asked for is an error.
    ///
    /// - Returns: all findings.
    package mutating func finish() -> FieldErrors {
        var hint = ""
        for (position, member) in object.own.object.members.enumerated()
        where !read.contains(position) {
            if hint.isEmpty {
                let names = Set(known).sorted().joined(separator: ", ")
                refuse(member.key, "is unknown; the known members are \(names)")
                hint = "is unknown"
            } else {
                refuse(member.key, hint)
            }
        }
        return errors
    }
}
