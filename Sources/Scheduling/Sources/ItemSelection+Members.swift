// The members of a source that say which items of a feed it fetches.
package import Base
internal import Downloads

extension ItemSelection {
    /// Reads `select`, `key`, `first` and `spacing` of a source; what is missing has its default.
    ///
    /// `spacing` is a duration such as `10m`, up to a week. Faults are adopted by the reader.
    package init(reading reader: inout FieldReader) {
        self.init()
        key = reader.word("key", of: Key.self) ?? key
        first = reader.word("first", of: First.self) ?? first
        if let text = reader.string("spacing", maximumLength: 64) {
            do throws(QuantityError) {
                spacing = try DurationText.parse(text)
                if spacing > .seconds(604_800) { reader.refuse("spacing", "must be at most 7d") }
            } catch {
                reader.refuse("spacing", "\(error)")
            }
        }
        guard let value = reader.value("select") else { return }
        guard let object = value.objectValue else {
            reader.refuse("select", "must be an object with title, newest, type or max_bytes")
            return
        }
        var part = FieldReader(object, at: reader.pointer("select"))
        title = part.string("title", maximumLength: 256).map { Glob($0) }
        newest = part.integer("newest", in: 1...Int64(Feed.itemsAtMost)).map { Int($0) }
        type = part.string("type", maximumLength: 255).map { Glob($0.lowercased()) }
        maxBytes = part.integer("max_bytes", in: 1...1 << 53)
        reader.adopt(part.finish())
    }

    /// The members as they are read; `select` has those that are set.
    package var json: JSONObject {
        var select = JSONObject()
        if let title { select.append("title", .string(title.text)) }
        if let newest { select.append("newest", .integer(Int64(newest))) }
        if let type { select.append("type", .string(type.text)) }
        if let maxBytes { select.append("max_bytes", .integer(maxBytes)) }
        return [
            "select": .object(select), "key": .string(key.rawValue),
            "first": .string(first.rawValue), "spacing": .string(DurationText.print(spacing)),
        ]
    }
}
