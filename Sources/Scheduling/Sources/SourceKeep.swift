package import Base

/// How long the versions of a source are held, in place of `content_retention`.
///
/// A version is held while it is among the `last` ones, or younger than `span`.
package struct SourceKeep: Equatable, Sendable {
    /// The number of the latest versions that are held, whatever their age; nil for none.
    package var last: Int64?
    /// The age up to which a version is held; nil for none.
    package var span: Duration?

    /// The retention of a version that is among the last ones, in seconds: ten years.
    package static let unbounded: Int64 = 10 * 366 * 86_400

    /// Reads the member `keep`; nil for none, or for a refused one.
    init?(reading reader: inout FieldReader) {
        guard let value = reader.value("keep") else { return nil }
        guard let object = value.objectValue else {
            reader.refuse("keep", "must be an object with last, for or both")
            return nil
        }
        var part = FieldReader(object, at: reader.pointer("keep"))
        last = part.integer("last", in: 1...1000)
        span = part.duration("for", in: 60...3660 * 86_400).map { .seconds($0) }
        if last == nil, span == nil, part.errors.isEmpty {
            part.refuse("last", "is required, or for")
        }
        let errors = part.finish()
        reader.adopt(errors)
        guard errors.isEmpty else { return nil }
    }

    /// The member as it is shown and stored.
    var json: JSON {
        var object = JSONObject()
        if let last { object["last"] = .integer(last) }
        if let span { object["for"] = .string(DurationText.print(span)) }
        return .object(object)
    }

    /// The time at which a version stops being held.
    ///
    /// - Parameters:
    ///   - seen: the time at which the version was seen first.
    ///   - isAmongLast: whether it is among the last ones.
    ///   - now: the instant.
    /// - Returns: the end; nil while it is held without an end.
    package func end(seenAt seen: Timestamp, isAmongLast: Bool, at now: Timestamp) -> Timestamp? {
        guard !isAmongLast || last == nil else { return nil }
        return span.map { max(now, seen + $0) } ?? now
    }
}
