// A text that is gathered in pieces equals the text of a tree, wherever a piece ends.
import Base
import Testing

@Suite struct JSONWriterTests {
    /// Long and short values in any order, so that a piece of the text ends in each of them.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func writesTheBytesOfTheTree(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var writer = JSONWriter(capacity: Int.random(in: 0...600, using: &random))
        let tree = Self.value(depth: 0, &random, &writer)
        #expect(writer.bytes == tree.serialized())
        #expect(writer.text == tree.text)
        let copy = writer
        #expect(copy.line() == tree.serialized() + [UInt8(ascii: "\n")])
        #expect(writer.finish() == tree.serialized())
    }

    private static func value(
        depth: Int, _ random: inout SeededRandom, _ writer: inout JSONWriter
    ) -> JSON {
        let kind = Int.random(in: depth < 4 ? 0...8 : 2...8, using: &random)
        let count = Int.random(in: depth == 0 ? 5...20 : 0...6, using: &random)
        switch depth == 0 ? kind % 2 : kind {
        case 0:
            writer.beginArray()
            let elements = (0..<count).map { _ in value(depth: depth + 1, &random, &writer) }
            writer.endArray()
            return .array(elements)
        case 1:
            writer.beginObject()
            let members = (0..<count).map { member(depth: depth, $0, &random, &writer) }
            writer.endObject()
            var object = JSONObject()
            for (key, value) in members { object[key] = value }
            return .object(object)
        default: return scalar(kind, &random, &writer)
        }
    }

    private static func member(
        depth: Int, _ number: Int, _ random: inout SeededRandom, _ writer: inout JSONWriter
    ) -> (String, JSON) {
        switch random.isOne(in: 3) ? number : 7 {
        case 0:
            writer.null("of_an_absent_value")
            return ("of_an_absent_value", .null)
        case 1:
            writer.key("k")
            return ("k", value(depth: depth + 1, &random, &writer))
        default:
            let name = "\(number)" + text(&random)
            writer.key(any: name)
            return (name, value(depth: depth + 1, &random, &writer))
        }
    }

    private static func scalar(
        _ kind: Int, _ random: inout SeededRandom, _ writer: inout JSONWriter
    ) -> JSON {
        switch kind {
        case 2:
            let number =
                Int64.random(in: .min ... .max, using: &random)
                >> Int64.random(
                    in: 0...63, using: &random)
            writer.write(number)
            return .integer(number)
        case 3:
            writer.write(random.isOne(in: 2))
            return JSON.parsed(lastOf: writer)
        case 4:
            writer.writeNull()
            return .null
        case 5:
            writer.write(1.5)
            return .number(1.5)
        case 6:
            let instant = Timestamp(microseconds: Int64.random(in: 0...1 << 52, using: &random))
            writer.write(instant)
            return .string(instant.rfc3339)
        case 7:
            let id = Identifier(
                high: UInt64.random(in: 0 ... .max, using: &random),
                low: UInt64.random(in: 0 ... .max, using: &random))
            writer.write(id, .delivery)
            return .string(id.text(.delivery))
        default:
            let text = text(&random)
            writer.write(text)
            return .string(text)
        }
    }

    /// Lengths near the length of a piece, with and without characters that need an escape.
    private static func text(_ random: inout SeededRandom) -> String {
        let length =
            random.isOne(in: 3)
            ? Int.random(in: 245...260, using: &random) : Int.random(in: 0...40, using: &random)
        let letters = String(repeating: "x", count: length)
        return random.isOne(in: 4) ? letters + "\"é\u{1f600}" : letters
    }
}

extension JSON {
    /// The truth value that was written last.
    fileprivate static func parsed(lastOf writer: JSONWriter) -> JSON {
        .bool(writer.text.hasSuffix("true"))
    }
}
