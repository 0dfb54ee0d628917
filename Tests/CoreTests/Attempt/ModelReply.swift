// The versions of a model origin's file, and its answers.
import Base
import Downloads

/// One version of a file at an origin.
struct ModelVersion {
    var number: Int
    var length: Int64
    var etag: FieldValue?
    var lastModified: String?
    var date: String?

    init(
        _ number: Int, length: Int64 = 9000, etag: FieldValue? = nil, lastModified: String? = nil,
        date: String? = nil
    ) {
        self.number = number
        self.length = length
        self.etag = etag ?? FieldValue("\"v\(number)\"")
        self.lastModified = lastModified
        self.date = date
    }

    /// A copy of this version with another ETag, or without one.
    func with(etag: FieldValue?) -> ModelVersion {
        var version = self
        version.etag = etag
        return version
    }

    /// The digest of the whole.
    var digest: String { ModelVersion.digest(number) }

    static func digest(_ number: Int) -> String {
        String(repeating: String(number & 15, radix: 16), count: 64)
    }
}

/// One answer of a model origin.
struct ModelReply {
    /// The head; nil if none comes.
    var facts: ResponseFacts?
    /// The version that the bytes are of.
    var version = 0
    /// The bytes that come.
    var body: Range<Int64> = 0..<0
    /// The number of bytes that come before the connection breaks; nil for all.
    var cut: Int64?
    /// The failure that the engine reports instead of an answer.
    var failure: FailureCode?
    /// The engine refuses the head for its Content-Range.
    var isOddRange = false
    var redirects = 0
    var retryAfter: String?

    /// A copy of this answer with other headers.
    func with(_ change: (inout ResponseFacts) -> Void) -> ModelReply {
        var reply = self
        if var facts = reply.facts {
            change(&facts)
            reply.facts = facts
        }
        return reply
    }

    private static func facts(_ status: Int, _ version: ModelVersion?) -> ResponseFacts {
        var facts = ResponseFacts(status: status, url: "http://origin.test/f")
        facts.etag = version?.etag
        facts.lastModified = version?.lastModified
        facts.date = version?.date
        return facts
    }

    /// 200 with all the bytes, or with the first of them and an end.
    static func whole(
        _ version: ModelVersion, cut: Int64? = nil, isChunked: Bool = false
    ) -> ModelReply {
        var head = facts(200, version)
        head.contentLength = isChunked ? nil : version.length
        head.isChunked = isChunked
        return ModelReply(
            facts: head, version: version.number, body: 0..<version.length, cut: cut)
    }

    /// 206 from a place, to the end unless another one is given.
    static func part(
        _ version: ModelVersion, from start: Int64, to end: Int64? = nil, total: String? = nil,
        cut: Int64? = nil
    ) -> ModelReply {
        let end = end ?? version.length
        var head = facts(206, version)
        head.contentRange = ContentRange(
            "bytes \(start)-\(end - 1)/\(total ?? "\(version.length)")")
        head.contentLength = end - start
        return ModelReply(facts: head, version: version.number, body: start..<end, cut: cut)
    }

    /// Any status, with a short text.
    static func status(
        _ status: Int, range: String? = nil, etag: FieldValue? = nil
    ) -> ModelReply {
        var head = facts(status, nil)
        head.contentRange = range.flatMap { ContentRange($0) }
        head.etag = etag
        head.contentLength = [204, 205, 304].contains(status) ? nil : 2
        return ModelReply(facts: head, version: ModelFile.garbage, body: 0..<2)
    }

    /// A head that the engine refused, or an answer without a head.
    static func refused(_ code: FailureCode, isOddRange: Bool = false) -> ModelReply {
        ModelReply(failure: code, isOddRange: isOddRange)
    }
}
