// What answers say about a representation, and the one rule by which they agree.

/// What the answers of one address say to tell versions apart; a mirror has other words for the
/// same bytes.
package struct Validators: Equatable, Sendable {
    /// Whether an answer of the address was taken; before that nothing can contradict it.
    package var isKnown = false
    /// `ETag` as sent, strong or weak; lines that differ are one text, which is no validator.
    package var entityTag: String?
    /// `Last-Modified` as sent, likewise.
    package var lastModified: String?
    /// Whether the date lay a minute before the answer's `Date` (RFC 9110 section 8.8.2.2).
    package var isDateStrong = false

    /// Nothing is known.
    package init() {}

    /// What an answer says.
    init(_ facts: ResponseFacts, now: Timestamp?) {
        isKnown = true
        entityTag = facts.etag
        lastModified = facts.lastModified
        guard let now, let text = facts.lastModified, let date = facts.date,
            let modified = Timestamp(httpDate: text, now: now),
            let answered = Timestamp(httpDate: date, now: now)
        else { return }
        isDateStrong = answered - modified >= Duration.seconds(60)
    }

    /// The entity tag where it is well formed and strong.
    package var strongETag: String? { Validators.strong(entityTag) }

    /// The date where it may stand in `If-Range`.
    package var strongDate: String? { isDateStrong ? lastModified : nil }

    /// A well-formed strong entity tag (RFC 9110 section 8.8.3), or nil for anything else.
    static func strong(_ text: String?) -> String? {
        guard let text, text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\""),
            text.utf8.dropFirst().dropLast().allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x7f })
        else { return nil }
        return text
    }

    func contradiction(to said: Validators) -> String? {
        guard isKnown, said.isKnown else { return nil }
        if let entityTag, let other = said.entityTag, other != entityTag { return "another ETag" }
        if entityTag == nil, said.entityTag != nil { return "an ETag where there was none" }
        if let lastModified, let other = said.lastModified, other != lastModified {
            return "another Last-Modified"
        }
        return nil
    }

    mutating func add(_ said: Validators) {
        guard said.isKnown else { return }
        guard isKnown else {
            self = said
            return
        }
        guard lastModified == nil else { return }
        lastModified = said.lastModified
        isDateStrong = said.isDateStrong
    }
}

/// Everything that the answers so far said about the bytes that are here.
///
/// The rule: what an answer says must agree with everything that earlier ones said, or the bytes
/// are void. What an answer leaves out contradicts nothing, but a part has to name the validator
/// that it is taken by; an entity tag that appears where an answer had none is another version's.
package struct RepresentationClaims: Equatable, Sendable {
    /// Those of the address that is asked.
    package var validators = Validators()
    /// Bytes of the whole.
    package var length: Int64?
    /// `Content-Encoding` in lower case; nil for none.
    package var coding: String?
    /// Of the whole; two of one algorithm where an origin names two, which no content has.
    package var digests: [ExpectedDigest] = []

    /// Nothing was said.
    package init() {}

    /// What one answer says.
    ///
    /// - Parameters:
    ///   - facts: the answer: 200, 201, 206 or 416.
    ///   - now: what two-digit years are read by; nil where no date has to be a validator.
    package init(_ facts: ResponseFacts, now: Timestamp? = nil) {
        validators = Validators(facts, now: now)
        length =
            facts.isWhole
            ? facts.contentLength : facts.contentRange?.total
        coding = facts.coding
        add(digests: facts.wholeDigests)
    }

    /// The validator for `If-Range` (RFC 9110 section 13.1.5), the strong ETag before the date;
    /// none for coded bytes, whose next part may be coded otherwise.
    package var ifRange: String? {
        coding == nil ? validators.strongETag ?? validators.strongDate : nil
    }

    /// How an answer contradicts what was said before, or nil.
    package func contradiction(to said: RepresentationClaims) -> String? {
        validators.contradiction(to: said.validators) ?? contradiction(ofContentTo: said)
    }

    /// The same without what each address says in its own words.
    package func contradiction(ofContentTo said: RepresentationClaims) -> String? {
        if let length, let other = said.length, other != length {
            return "\(other) bytes instead of \(length)"
        }
        for algorithm in DigestAlgorithm.allCases {
            let known = digests.filter { $0.algorithm == algorithm }.map(\.hexadecimal)
            let other = said.digests.filter { $0.algorithm == algorithm }.map(\.hexadecimal)
            if !known.isEmpty, !other.isEmpty, Set(known) != Set(other) {
                return "another \(algorithm.rawValue) digest"
            }
        }
        return nil
    }

    /// Adds what an answer says that contradicts nothing.
    package mutating func add(_ said: RepresentationClaims) {
        validators.add(said.validators)
        length = length ?? said.length
        add(digests: said.digests)
    }

    /// Forgets validators that mean nothing at another address: all but a strong ETag.
    ///
    /// Only for bytes that a digest of the whole proves at the end.
    package mutating func forgetWeakValidators() {
        if validators.strongETag == nil { validators = Validators() }
    }

    /// Adds digests of the whole; two different ones of an algorithm are enough to refuse all.
    package mutating func add(digests more: [ExpectedDigest]) {
        for digest in more where !digests.contains(digest) {
            guard digests.filter({ $0.algorithm == digest.algorithm }).count < 2 else { continue }
            digests.append(digest)
        }
    }
}

extension Validators {
    /// Reads what `write(to:)` wrote.
    init(stored object: JSONObject) {
        isKnown = !(object["unheard"]?.boolValue ?? false)
        entityTag = object["etag"]?.stringValue ?? object["tag"]?.stringValue
        lastModified = object["last_modified"]?.stringValue
        isDateStrong = lastModified != nil && !(object["date_is_weak"]?.boolValue ?? false)
    }

    /// What the store keeps; `etag` is there only for one that may stand in `If-Range`.
    func write(to object: inout JSONObject) {
        if !isKnown { object["unheard"] = true }
        object["etag"] = strongETag.map { .string($0) }
        if strongETag == nil { object["tag"] = entityTag.map { .string($0) } }
        object["last_modified"] = lastModified.map { .string($0) }
        if lastModified != nil, !isDateStrong { object["date_is_weak"] = true }
    }
}

extension RepresentationClaims {
    /// Reads what `write(to:)` wrote.
    init(stored object: JSONObject) {
        validators = Validators(stored: object)
        length = object["total"]?.integerValue
        coding = object["coding"]?.stringValue
        for text in object["digests"]?.arrayValue?.compactMap(\.stringValue) ?? [] {
            // One that this version does not know is not checked.
            do throws(DigestError) { digests.append(try ExpectedDigest(text)) } catch {}
        }
    }

    /// What the store keeps.
    func write(to object: inout JSONObject) {
        object["total"] = length.map { .integer($0) }
        validators.write(to: &object)
        object["coding"] = coding.map { .string($0) }
        if !digests.isEmpty {
            object["digests"] = .array(digests.map { .string($0.text) })
        }
    }
}
