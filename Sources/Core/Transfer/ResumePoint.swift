// What is kept of a download that stopped in the middle.

/// Where a later attempt may go on, and what has to be true for that.
package struct ResumePoint: Equatable, Sendable {
    /// Bytes that are on disk and synced.
    package var offset: Int64
    /// The fence of the attempt whose part file holds them.
    package var fence: Int64
    /// The data directory that holds the part file.
    package var instance: String
    /// The claims of the answers that carried the bytes.
    package var claims: RepresentationClaims
    /// How often the bytes were thrown away for a fresh start.
    package var restarts: Int64
    /// The most bytes that were ever here, where that is more than now; 0 where it is not.
    package var furthest: Int64 = 0
    /// True after an origin ignored If-Range although its ETag was ours: then Range is sent alone.
    package var usesPlainRange = false
    /// How often whole content did not have the digest that its origin named.
    package var mismatches: Int64 = 0
    /// Whether the file is whole and proved, so that nothing has to be asked for: true if its
    /// length was proved, too; nil where it is not whole.
    package var whole: Bool?
    /// The download whose part file holds the bytes, where it is another one: the bytes are copied.
    package var source: Identifier?
    /// Why the bytes must not be gone on with, or nil; the file is still there.
    package var void: String?
    /// What is known of the download's mirrors; nil where it has one URL.
    package var mirrors: MirrorBook?
    /// Waits since the last new byte that cost no attempt.
    package var patience = Patience()

    /// The whole length, where an origin gave it.
    package var total: Int64? {
        get { claims.length }
        set { claims.length = newValue }
    }

    /// The strong ETag of the answers that carried the bytes.
    package var etag: FieldValue? { claims.validators.strongETag }

    /// The validator for If-Range (RFC 9110 section 13.1.5).
    package var ifRange: FieldValue? { claims.ifRange }

    /// What a transfer that is under way would leave behind.
    package init(
        offset: Int64, fence: Int64, instance: String, claims: RepresentationClaims,
        restarts: Int64
    ) {
        self.offset = offset
        self.fence = fence
        self.instance = instance
        self.claims = claims
        self.restarts = restarts
    }

    /// What one answer leaves behind.
    package init(
        offset: Int64, fence: Int64, instance: String, facts: ResponseFacts, total: Int64?,
        restarts: Int64, now: Timestamp
    ) {
        var claims = RepresentationClaims(facts, now: now)
        claims.length = total
        self.init(
            offset: offset, fence: fence, instance: instance, claims: claims, restarts: restarts)
    }

    /// No bytes, only what has to be known of those that were here.
    package init(mismatches: Int64, fence: Int64, instance: String) {
        self.init(
            offset: 0, fence: fence, instance: instance, claims: RepresentationClaims(),
            restarts: 0)
        self.mismatches = mismatches
    }

    /// Reads what `json` wrote; nil if it is something else.
    package init?(stored object: JSONObject) {
        guard let offset = object["offset"]?.integerValue,
            let fence = object["fence"]?.integerValue,
            let instance = object["instance"]?.stringValue
        else { return nil }
        self.init(
            offset: offset, fence: fence, instance: instance,
            claims: RepresentationClaims(stored: object),
            restarts: object["restarts"]?.integerValue ?? 0)
        furthest = object["furthest"]?.integerValue ?? 0
        usesPlainRange = object["plain_range"]?.boolValue ?? false
        mismatches = object["mismatches"]?.integerValue ?? 0
        void = object["void"]?.stringValue
        whole = object["whole"]?.boolValue
        source = object["source"]?.stringValue.flatMap(Identifier.init(hexadecimal:))
        mirrors = MirrorBook(stored: object["mirrors"])
        patience = Patience(stored: object["patience"])
    }

    /// Why bytes are void after a change of URL with only a date as validator.
    package static let elsewhere = "another URL, and no ETag or digest proves that the bytes fit"

    /// Why bytes of another download were given up.
    package static let bytesElsewhere = "bytes_elsewhere"

    /// Whether a row that names this point still stands for the bytes of another one, as far as
    /// that says: the same file, of the same version, not begun anew since.
    package func covers(_ other: ResumePoint) -> Bool {
        void == nil && offset >= other.offset && fence == other.fence
            && instance == other.instance && restarts == other.restarts && claims == other.claims
    }

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
        claims.write(to: &object)
        object["furthest"] = furthest > 0 ? .integer(furthest) : nil
        object["plain_range"] = usesPlainRange ? .bool(true) : nil
        object["mismatches"] = mismatches > 0 ? .integer(mismatches) : nil
        object["void"] = void.map { .string($0) }
        object["whole"] = whole.map { .bool($0) }
        object["source"] = source.map { .string($0.hexadecimal) }
        object["mirrors"] = mirrors?.json
        object["patience"] = patience.json
        return object
    }
}
