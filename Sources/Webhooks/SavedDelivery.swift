// A webhook as its receiver saved it: the signed fields, and the body.

/// The fields of a saved webhook that the signature covers, and the signature itself.
package struct SavedDelivery: Sendable {
    /// `webhook-id`.
    package let id: String
    /// `webhook-timestamp` as sent.
    package let timestamp: String
    /// `webhook-signature`: signatures with their versions, separated by spaces.
    package let signature: String
    /// The bytes of the body.
    package let body: [UInt8]

    /// The reason why fields cannot be checked, in a sentence.
    package struct Incomplete: Error, CustomStringConvertible {
        /// The missing field.
        package let description: String
    }

    /// Reads fields, a `name: value` on each line; other fields than these three, and a request or
    /// status line, are ignored.
    ///
    /// - Parameters:
    ///   - text: as curl, a proxy's log or a framework prints fields; names in any case.
    ///   - body: the bytes of the body.
    /// - Throws: `Incomplete` for a field that is missing or stands twice with two values.
    package init(fields text: String, body: [UInt8]) throws(Incomplete) {
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let name = String(line[..<colon]).trimmed.lowercased()
            let value = String(line[line.index(after: colon)...]).trimmed
            guard SavedDelivery.names.contains(name) else { continue }
            if let other = values.updateValue(value, forKey: name), other != value {
                throw Incomplete(description: "\(name) is given twice with different values")
            }
        }
        for name in SavedDelivery.names where values[name]?.isEmpty != false {
            throw Incomplete(
                description: "the field \(name) is missing: all three of "
                    + SavedDelivery.names.joined(separator: ", ") + " are needed")
        }
        id = values[SavedDelivery.names[0]] ?? ""
        timestamp = values[SavedDelivery.names[1]] ?? ""
        signature = values[SavedDelivery.names[2]] ?? ""
        self.body = body
    }

    private static let names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
}

extension String {
    /// The text without spaces and tabs at both ends.
    fileprivate var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let start = drop(while: isSpace)
        return String(start.reversed().drop(while: isSpace).reversed())
    }
}
