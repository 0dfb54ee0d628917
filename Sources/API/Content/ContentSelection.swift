// Conditions and ranges of a request for content, judged in the order of the standard.
internal import Base
internal import HTTPWire

/// The part of the content to send (RFC 9110 section 13.2.2).
enum ContentSelection: Equatable, Sendable {
    /// No part: the client has the content.
    case notModified
    /// The whole content.
    case whole
    /// One range.
    case part(ClosedRange<Int64>)
    /// No part: the range begins behind the end.
    case unsatisfiable

    /// Judges a request.
    ///
    /// - Throws: `precondition-failed`.
    static func choose(
        _ request: Request, _ facts: ContentFacts
    ) throws(Problem) -> ContentSelection {
        if try Preconditions(request).check(facts.representation) { return .notModified }
        let headers = request.headers
        let ranges = headers.all("Range")
        guard request.method == "GET", ranges.count == 1,
            rangeHolds(headers["If-Range"], facts)
        else { return .whole }
        return switch ByteRange.read(ranges[0], length: facts.length) {
        case .whole: .whole
        case .part(let range): .part(range)
        case .unsatisfiable: .unsatisfiable
        }
    }

    /// `If-Range`: the range is used only if the client's part is of the present content.
    private static func rangeHolds(_ field: String?, _ facts: ContentFacts) -> Bool {
        guard let field else { return true }
        if let date = date(field, facts) { return date == facts.modified }
        guard case .tags(let tags)? = EntityTagCondition.read([field]), tags.count == 1 else {
            return false
        }
        return tags[0].isSame(as: facts.tag)
    }

    private static func date(_ field: String?, _ facts: ContentFacts) -> Timestamp? {
        field.flatMap { Timestamp(httpDate: $0, now: facts.modified) }
    }
}
