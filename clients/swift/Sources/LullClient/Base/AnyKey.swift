/// The name of any member.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer<AnyKey> {
    /// Whether all of these members are there.
    func hasAll(_ names: [String]) -> Bool {
        names.allSatisfy { contains(AnyKey(stringValue: $0)) }
    }

    /// Whether a member is one of these texts.
    func text(_ name: String, isOneOf words: [String]) -> Bool {
        guard let text = try? decode(String.self, forKey: AnyKey(stringValue: name)) else {
            return false
        }
        return words.contains(text)
    }
}
