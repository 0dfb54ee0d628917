// What the rules of a policy may ask of single downloads, as far as a lane tells it.

/// The values that all downloads of a lane share for the rules over bytes and metadata.
///
/// It holds what is true of each of its downloads, so that rules of another policy than the one it
/// was made under may be judged by it: what it does not tell, a rule may match.
package struct Facet: Hashable, Sendable {
    /// What is known of the expected bytes.
    package enum Bytes: Hashable, Sendable {
        /// Nothing: some may have a size, in any range.
        case any
        /// None of them has a size.
        case unknown
        /// All have one from the first on and below the second; nil for no end.
        case band(Int64, Int64?)
    }

    /// What is known of one predicate over the metadata.
    package struct Predicate: Hashable, Sendable {
        /// The name in the metadata.
        package let key: KeyText
        /// What its value has to match.
        package let pattern: KeyText
        /// Whether it does.
        package let holds: Bool
    }

    /// The expected bytes.
    package let bytes: Bytes
    /// The predicates that are known, in the order of key and pattern.
    package let predicates: [Predicate]

    /// Nothing is known; its number is 0.
    package static let none = Facet(bytes: .any, predicates: [])

    init(bytes: Bytes, predicates: [Predicate]) {
        self.bytes = bytes
        self.predicates = predicates
    }

    /// Whether a range of sizes holds all of its downloads, none, or perhaps some.
    func truth(of span: Match.Span) -> Truth {
        switch bytes {
        case .any: return .unknown
        // A size that is not known is in no range.
        case .unknown: return .unmet
        case .band(let first, let end):
            let low = Double(first)
            let high = end.map { Double($0) } ?? .infinity
            if low >= span.max ?? .infinity || high <= span.min ?? -.infinity { return .unmet }
            return low >= span.min ?? -.infinity && high <= span.max ?? .infinity
                ? .met : .unknown
        }
    }

    /// Whether a predicate over the metadata holds for all of its downloads or for none.
    func truth(of pattern: Match.MetadataPattern) -> Truth {
        let known = predicates.first {
            $0.key == pattern.key && $0.pattern == KeyText(pattern.value.text)
        }
        return known.map { Truth($0.holds) } ?? .unknown
    }

    /// The text that stands for it in the store; empty where nothing is known.
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
        return JSON.object(object).text
    }

    /// Reads what `text` wrote; nothing is known from anything else.
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
        self.init(bytes: bytes, predicates: predicates)
    }
}
