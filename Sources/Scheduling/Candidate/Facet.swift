// The facts about single downloads that rules may ask for, as far as all downloads of a lane share
// them.
package import Base

/// The values for rules over bytes and metadata that all downloads of a lane share.
///
/// Each of its facts is true for every download of the lane, so rules of another policy than the
/// one it was made under can be judged by it: where it has no fact, a rule may match.
package struct Facet: Hashable, Sendable {
    /// The known facts about the expected bytes.
    package enum Bytes: Hashable, Sendable {
        /// No size is known: some downloads may have one, in any range.
        case any
        /// No download has a size.
        case unknown
        /// Every download has a size, from the first number on and below the second; nil for no
        /// end.
        case band(Int64, Int64?)
    }

    /// The result of one predicate over the metadata.
    package struct Predicate: Hashable, Sendable {
        /// The name in the metadata.
        package let key: KeyText
        /// The pattern for its value.
        package let pattern: KeyText
        /// Whether the value matches.
        package let holds: Bool
    }

    /// The facts about the expected bytes.
    package let bytes: Bytes
    /// The known results of predicates, in the order of key and pattern.
    package let predicates: [Predicate]
    /// The data directory from which every download of the lane is sent: only its replica claims
    /// them; nil for downloads that any replica claims.
    package let holder: KeyText?

    /// The facet without facts; its number is 0.
    package static let none = Facet(bytes: .any, predicates: [], holder: nil)

    init(bytes: Bytes, predicates: [Predicate], holder: KeyText?) {
        self.bytes = bytes
        self.predicates = predicates
        self.holder = holder
    }

    /// The text that represents it in the store; empty without facts.
    package var text: String {
        guard self != .none else { return "" }
        var object = JSONObject()
        switch bytes {
        case .any: break
        case .unknown: object["bytes"] = .null
        case .band(let first, let end):
            object["bytes"] = .array([.integer(first), end.map { .integer($0) } ?? .null])
        }
        if !predicates.isEmpty {
            object["metadata"] = .array(
                predicates.map {
                    .array([.string($0.key.text), .string($0.pattern.text), .bool($0.holds)])
                })
        }
        object["holder"] = holder.map { .string($0.text) }
        return JSON.object(object).text
    }

    /// Reads the form that `text` writes; anything else gives no facts.
    package init(text: String) {
        let document: JSON?
        do throws(JSONError) {
            document = text.isEmpty ? nil : try JSON.parse(Array(text.utf8))
        } catch {
            document = nil
        }
        guard let object = document?.objectValue else {
            self = .none
            return
        }
        var bytes = Bytes.any
        if let value = object["bytes"] {
            if value.isNull {
                bytes = .unknown
            } else if let ends = value.arrayValue, ends.count == 2,
                let first = ends[0].integerValue
            {
                bytes = .band(first, ends[1].integerValue)
            }
        }
        let predicates = (object["metadata"]?.arrayValue ?? []).compactMap { item -> Predicate? in
            guard let parts = item.arrayValue, parts.count == 3, let key = parts[0].stringValue,
                let pattern = parts[1].stringValue, let holds = parts[2].boolValue
            else { return nil }
            return Predicate(
                key: KeyText(key), pattern: KeyText(pattern), holds: holds)
        }
        self.init(
            bytes: bytes, predicates: predicates,
            holder: object["holder"]?.stringValue.map { KeyText($0) })
    }
}
