public import Foundation

/// JSON as the API has it.
public enum JSONForm {
    /// Reads a value of the API; unknown members are ignored.
    public static func read<Value: Decodable>(
        _ type: Value.Type, from data: Data
    ) throws(LullError) -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let date = Instant.date(text) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "no RFC 3339: \(text)"))
            }
            return date
        }
        do {
            return try decoder.decode(type, from: data)
        } catch {
            throw .unreadable("\(error)")
        }
    }

    /// Writes a value of the API, its members in the order of their names.
    public static func written(_ value: some Encodable) throws(LullError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Instant.text(date))
        }
        do {
            return try encoder.encode(value)
        } catch {
            throw .unwritable("\(error)")
        }
    }
}
