// A JSON object that remembers the order of its members.

/// The members of a JSON object, in order, each key once.
///
/// Keys are equal when their UTF-8 bytes are. Look-ups walk the list, which is short in most
/// objects; use a `FieldReader` to look up many keys of a client's object.
package struct JSONObject: Sendable {
    /// The members in the order in which they were written.
    package private(set) var members: [(key: String, value: JSON)]

    /// An object without members.
    package init() { members = [] }

    /// An object with these members; a repeated key is a bug, which only debug builds check.
    package init(members: [(String, JSON)]) {
        self.members = members.map { (key: $0.0, value: $0.1) }
        assert(
            Set(members.map { KeyText($0.0) }).count == members.count,
            "a key stands once in an object")
    }

    /// An object with these members, of which each key is known to stand once.
    package init(parsed members: [(key: String, value: JSON)]) { self.members = members }

    /// The number of members.
    package var count: Int { members.count }

    /// Whether there are no members.
    package var isEmpty: Bool { members.isEmpty }

    /// The value of a key; setting keeps the key's place or appends, setting nil removes.
    ///
    /// - Parameter key: compared by its UTF-8 bytes.
    /// - Complexity: O(n) in the number of members.
    package subscript(key: String) -> JSON? {
        get {
            guard let position = position(of: key) else { return nil }
            return members[position].value
        }
        set {
            switch (position(of: key), newValue) {
            case (let position?, let value?): members[position].value = value
            case (let position?, nil): members.remove(at: position)
            case (nil, let value?): members.append((key, value))
            case (nil, nil): break
            }
        }
    }

    /// Adds a member whose key is known to be new.
    ///
    /// - Complexity: O(1); only debug builds look whether the key is new.
    package mutating func append(_ key: String, _ value: JSON) {
        assert(position(of: key) == nil, "a key stands once in an object")
        members.append((key, value))
    }

    /// Adds a member unless the value is nil.
    package mutating func append(_ key: String, ifPresent value: JSON?) {
        guard let value else { return }
        append(key, value)
    }

    /// The index of a key, found by a walk.
    func position(of key: String) -> Int? {
        let position = members.firstIndex { KeyText.areEqual($0.key, key) }
        WorkMeter.add((position ?? members.count) + 1)
        return position
    }

    /// The index of each key, for many look-ups in an object with many members.
    package func positions() -> [KeyText: Int] {
        WorkMeter.add(members.count)
        return Dictionary(
            zip(members.lazy.map { KeyText($0.key) }, members.indices),
            uniquingKeysWith: { first, _ in first })
    }
}

extension JSONObject: Equatable {
    /// Whether both have the same keys with equal values, in any order.
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.count == right.count else { return false }
        var values: [KeyText: JSON]?
        for (mine, other) in zip(left.members, right.members) {
            if values == nil {
                if mine.key.utf8.elementsEqual(other.key.utf8) {
                    guard mine.value == other.value else { return false }
                    continue
                }
                values = Dictionary(
                    right.members.map { (KeyText($0.key), $0.value) },
                    uniquingKeysWith: { first, _ in first })
            }
            guard values?[KeyText(mine.key)] == mine.value else { return false }
        }
        return true
    }
}
