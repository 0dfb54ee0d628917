// Judges whether a 304 proves that the known content is the present one.
internal import Base

extension ChangeCondition {
    /// The condition with the validators that may be sent: entity tags and dates in another form
    /// than RFC 9110's are left out.
    package var sendable: ChangeCondition {
        var condition = self
        if let etag, !ChangeCondition.isListOfTags(etag) { condition.etag = nil }
        if let lastModified, !ChangeCondition.isDate(lastModified) { condition.lastModified = nil }
        return condition
    }

    /// The reason why a 304 does not prove that the known content is the present one.
    ///
    /// Some origins answer 304 by the date alone although the entity tag differs, and a redirect
    /// may lead to another origin, whose entity tags mean something else.
    ///
    /// - Parameter facts: the head of the answer 304.
    /// - Returns: the reason; nil if it proves that.
    package func doubt(about facts: ResponseFacts) -> String? {
        if let origin, ChangeCondition.origin(of: facts.url) != origin {
            return "it came from another origin than the known content"
        }
        if let said = facts.etag?.text, let etag, !ChangeCondition.matches(said, in: etag) {
            return "its ETag is another one"
        }
        if etag == nil, let said = facts.lastModified, let lastModified, said != lastModified,
            isNewer(said, than: lastModified)
        {
            return "its Last-Modified is a later one"
        }
        if let digest,
            let said = facts.wholeDigests.first(where: { $0.algorithm == .sha256 }),
            said.hexadecimal != digest
        {
            return "its digest is another one"
        }
        return nil
    }

    /// Whether an entity tag is one of a list, by the weak comparison (RFC 9110 section 8.8.3.2).
    static func matches(_ tag: String, in list: String) -> Bool {
        let opaque = opaque(tag)
        var rest = list[...]
        while let start = rest.firstIndex(of: "\"") {
            let inner = rest[rest.index(after: start)...]
            guard let end = inner.firstIndex(of: "\"") else { return false }
            if rest[start...end] == opaque { return true }
            rest = inner[inner.index(after: end)...]
        }
        return false
    }

    private static func opaque(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }

    private func isNewer(_ date: String, than known: String) -> Bool {
        let now = Timestamp(microseconds: 0)
        guard let one = Timestamp(httpDate: date, now: now),
            let other = Timestamp(httpDate: known, now: now)
        else { return false }
        return one > other
    }

    private static func origin(of url: String) -> String? {
        do throws(SourceURLError) {
            return try SourceURL(parsing: url).origin
        } catch {
            return nil
        }
    }
}
