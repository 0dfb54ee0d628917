// The state of an interrupted download that is kept for a later attempt.
package import Base

/// The point at which a later attempt may continue, and the conditions for that.
package struct ResumePoint: Equatable, Sendable {
    /// The number of bytes that are on disk and synced.
    package var offset: Int64
    /// The fence of the attempt whose part file has them.
    package var fence: Int64
    /// The data directory of the part file.
    package var instance: String
    /// The claims of the answers that carried the bytes.
    package var claims: RepresentationClaims
    /// The number of times that the bytes were thrown away for a fresh start.
    package var restarts: Int64
    /// The most bytes that were ever here, if that is more than now; 0 if not.
    package var furthest: Int64 = 0
    /// True after an origin ignored If-Range although its ETag was unchanged: then Range is sent
    /// alone.
    package var usesPlainRange = false
    /// The number of times that complete content did not have the announced digest.
    package var mismatches: Int64 = 0
    /// Whether the file is complete and proved, so that no request is needed: true if its length
    /// was proved, too; nil if it is not complete.
    package var whole: Bool?
    /// SHA-256 of a complete file, in hexadecimal digits: one with other bytes is not used.
    package var sha256: String?
    /// The download whose part file has the bytes, if it is another one: the bytes are copied.
    package var source: Identifier?
    /// The reason why the bytes must not be continued; nil if they may be; the file still exists.
    package var void: String?
    /// The whole file of a download with a receiver, which waits to be sent; nil for any other.
    package var received: ReceivedFile?
    /// The upload in parts that an attempt has begun at a store; nil for none, and once the store
    /// has said that it is gone.
    package var upload: StoredUpload?
    /// Whether it stands for the bytes of an upload that its client is bringing to the data
    /// directory; the file has their number.
    package var stages = false
    /// The state of the download's mirrors; nil if it has one URL.
    package var mirrors: MirrorBook?
    /// The waits since the last new byte that cost no attempt.
    package var uncountedWaits = UncountedWaits()

    /// The data directory from which the file of a download with a receiver is sent; nil while its
    /// bytes are not whole, or not its own.
    package var holder: String? {
        received != nil && source == nil && void == nil ? instance : nil
    }

    /// The length of the whole, if an origin gave it.
    package var total: Int64? {
        get { claims.length }
        set { claims.length = newValue }
    }

    /// The strong ETag of the answers that carried the bytes.
    package var etag: FieldValue? { claims.validators.strongETag }

    /// The validator for If-Range (RFC 9110 section 13.1.5).
    package var ifRange: FieldValue? { claims.ifRange }

    /// The point that a transfer in progress would leave.
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

    /// The point that one answer leaves.
    package init(
        offset: Int64, fence: Int64, instance: String, facts: ResponseFacts, total: Int64?,
        restarts: Int64, now: Timestamp
    ) {
        var claims = RepresentationClaims(facts, now: now)
        claims.length = total
        self.init(
            offset: offset, fence: fence, instance: instance, claims: claims, restarts: restarts)
    }

    /// A point without bytes, which remembers facts about earlier ones.
    package init(mismatches: Int64, fence: Int64, instance: String) {
        self.init(
            offset: 0, fence: fence, instance: instance, claims: RepresentationClaims(),
            restarts: 0)
        self.mismatches = mismatches
    }

    /// The point of an upload whose bytes its client brings to a data directory.
    package init(stagingAt instance: String) {
        self.init(
            offset: 0, fence: 0, instance: instance, claims: RepresentationClaims(), restarts: 0)
        stages = true
    }

    /// Reads the form that `json` writes; nil for anything else.
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
        sha256 = object["sha256"]?.stringValue
        received = object["received"].flatMap { ReceivedFile(stored: $0) }
        upload = object["upload"].flatMap { StoredUpload(stored: $0) }
        stages = object["stages"]?.boolValue ?? false
        source = object["source"]?.stringValue.flatMap(Identifier.init(hexadecimal:))
        mirrors = MirrorBook(stored: object["mirrors"])
        uncountedWaits = UncountedWaits(stored: object["patience"])
    }

    /// The reason why bytes are void after a change of URL with only a date as validator.
    package static let elsewhere =
        "the URL is another one, and no ETag or digest proves that the bytes belong to it"

    /// The reason why bytes of another download were given up.
    package static let bytesElsewhere = "bytes_elsewhere"

    /// Whether a row with this point still stands for the bytes of another one, as far as they
    /// tell: an equal file of an equal version, without a restart since.
    package func covers(_ other: ResumePoint) -> Bool {
        void == nil && offset >= other.offset && fence == other.fence
            && instance == other.instance && restarts == other.restarts && claims == other.claims
    }

    /// Whether two URLs differ at most in their query, as fresh signatures do.
    package static func isSamePlace(_ one: String, _ other: String) -> Bool {
        one.prefix { $0 != "?" && $0 != "#" } == other.prefix { $0 != "?" && $0 != "#" }
    }

    /// The stored form.
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
        object["sha256"] = sha256.map { .string($0) }
        object["received"] = received?.tree
        object["upload"] = upload?.tree
        object["stages"] = stages ? .bool(true) : nil
        object["source"] = source.map { .string($0.hexadecimal) }
        object["mirrors"] = mirrors?.json
        object["patience"] = uncountedWaits.json
        return object
    }
}
