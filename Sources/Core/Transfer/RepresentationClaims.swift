// The claims of answers about a representation, and the one rule by which they agree.

/// All claims of the answers so far about the kept bytes.
///
/// The rule: the claims of an answer must agree with all earlier ones, or the bytes
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

    /// No claims.
    package init() {}

    /// The claims of one answer.
    ///
    /// - Parameters:
    ///   - facts: the answer: 200, 203, 206 or 416.
    ///   - now: what two-digit years are read by; nil where no date has to be a validator.
    package init(_ facts: ResponseFacts, now: Timestamp? = nil) {
        validators = Validators(facts, now: now)
        length =
            facts.isWhole
            ? facts.contentLength : facts.contentRange?.total
        coding = facts.coding
        add(digests: facts.wholeDigests)
    }

    /// Whether a digest of the whole shows a mixture of versions.
    package var provesContent: Bool { digests.contains { $0.algorithm.provesContent } }

    /// The validator for `If-Range` (RFC 9110 section 13.1.5), the strong ETag before the date;
    /// none for coded bytes, whose next part may be coded otherwise.
    package var ifRange: FieldValue? {
        guard coding == nil else { return nil }
        return validators.strongETag ?? validators.strongDate.map { FieldValue($0) }
    }

    /// How an answer contradicts earlier claims, or nil.
    package func contradiction(to said: RepresentationClaims) -> String? {
        validators.contradiction(to: said.validators) ?? contradiction(ofContentTo: said)
    }

    /// The same without the validators of each address.
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

    /// Adds the claims of an answer that contradicts nothing.
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
