// What is kept of a download that stopped in the middle.

/// Where a later attempt may go on, and what has to be true for that.
package struct ResumePoint: Equatable, Sendable {
    /// Bytes that are on disk and synced.
    package var offset: Int64
    /// The fence of the attempt whose part file holds them.
    package var fence: Int64
    /// The data directory that holds the part file.
    package var instance: String
    /// The whole length, where the origin said it.
    package var total: Int64?
    /// The strong ETag of the answer that carried the bytes.
    package var etag: String?
    /// Its Last-Modified, kept only if it was old enough to be a validator (60 s before Date).
    package var lastModified: String?
    /// How often the bytes were thrown away for a fresh start.
    package var restarts: Int64
    /// True after an origin ignored If-Range although its ETag was ours: then Range goes alone.
    package var usesPlainRange: Bool
    /// The other ETag of an answer with our date and length: the next one tells whether the source
    /// changed or the origin makes up ETags.
    package var otherETag: String?
    /// The whole's digest, where the origin named it.
    package var digest: ExpectedDigest?
    /// How often whole content did not have the digest that its origin named.
    package var mismatches: Int64 = 0
    /// Why the bytes must not be gone on with, or nil; the file is still there.
    package var void: String?
    /// What is known of the download's mirrors; nil where it has one URL.
    package var mirrors: MirrorBook?

    /// The validator for If-Range (RFC 9110 section 13.1.5), the strong ETag before the date.
    package var ifRange: String? { otherETag == nil ? etag ?? lastModified : lastModified }

    /// What a transfer that is under way would leave behind.
    package init(
        offset: Int64, fence: Int64, instance: String, facts: ResponseFacts, total: Int64?,
        restarts: Int64, now: Timestamp
    ) {
        self.offset = offset
        self.fence = fence
        self.instance = instance
        self.total = total
        self.restarts = restarts
        // A coded answer is never continued: its next part may be coded otherwise.
        let isPlain = (facts.contentEncoding ?? "identity").lowercased() == "identity"
        etag = isPlain ? facts.strongETag : nil
        lastModified = isPlain ? ResumePoint.validatingDate(facts, now: now) : nil
        usesPlainRange = false
        digest = RepresentationDigest.named(in: facts)
    }

    /// No bytes, only the memory of content that was not what its origin said.
    package init(mismatches: Int64, fence: Int64, instance: String) {
        self.init(
            offset: 0, fence: fence, instance: instance, facts: ResponseFacts(status: 0, url: ""),
            total: nil, restarts: 0, now: .epoch)
        self.mismatches = mismatches
    }

    /// Reads what `json` wrote; nil if it is something else.
    package init?(stored object: JSONObject) {
        guard let offset = object["offset"]?.integerValue,
            let fence = object["fence"]?.integerValue,
            let instance = object["instance"]?.stringValue
        else { return nil }
        self.offset = offset
        self.fence = fence
        self.instance = instance
        total = object["total"]?.integerValue
        etag = object["etag"]?.stringValue
        lastModified = object["last_modified"]?.stringValue
        restarts = object["restarts"]?.integerValue ?? 0
        usesPlainRange = object["plain_range"]?.boolValue ?? false
        mismatches = object["mismatches"]?.integerValue ?? 0
        void = object["void"]?.stringValue
        mirrors = MirrorBook(stored: object["mirrors"])
        if let text = object["digest"]?.stringValue {
            // One that this version does not know is not checked.
            do throws(DigestError) { digest = try ExpectedDigest(text) } catch {}
        }
    }

    /// Why bytes are void whose download went to another URL with only a date to prove them.
    package static let elsewhere = "another URL, and no ETag or digest proves that the bytes fit"

    /// Whether two URLs differ at most in their query, as fresh signatures do.
    package static func isSamePlace(_ one: String, _ other: String) -> Bool {
        one.prefix { $0 != "?" && $0 != "#" } == other.prefix { $0 != "?" && $0 != "#" }
    }

    /// What the store keeps.
    package var json: JSONObject {
        var object: JSONObject = [
            "offset": .integer(offset), "fence": .integer(fence), "instance": .string(instance),
            "restarts": .integer(restarts),
        ]
        object["total"] = total.map { .integer($0) }
        object["etag"] = etag.map { .string($0) }
        object["last_modified"] = lastModified.map { .string($0) }
        object["plain_range"] = usesPlainRange ? .bool(true) : nil
        object["digest"] = digest.map { .string($0.text) }
        object["mismatches"] = mismatches > 0 ? .integer(mismatches) : nil
        object["void"] = void.map { .string($0) }
        object["mirrors"] = mirrors?.json
        return object
    }

    private static func validatingDate(_ facts: ResponseFacts, now: Timestamp) -> String? {
        guard let text = facts.lastModified, let date = facts.date,
            let modified = Timestamp(httpDate: text, now: now),
            let answered = Timestamp(httpDate: date, now: now),
            answered - modified >= Duration.seconds(60)
        else { return nil }
        return text
    }
}
