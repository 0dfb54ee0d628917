// The claims of answers about a representation, and the rule by which they agree.
package import Base

/// All claims of the answers so far about the kept bytes.
///
/// The claims of an answer must agree with all earlier ones; if not, the bytes are void. A missing
/// claim contradicts nothing, except that a part has to repeat the validator by which it was
/// accepted; an entity tag in place of a missing one belongs to another version.
package struct RepresentationClaims: Equatable, Sendable {
    /// The validators of the address in use.
    package var validators = Validators()
    /// The length of the whole in bytes.
    package var length: Int64?
    /// `Content-Encoding` in lower case; nil for none.
    package var coding: String?
    /// Digests of the whole; two of one algorithm if an origin gives two different ones, which no
    /// content has.
    package var digests: [ExpectedDigest] = []

    /// Creates a value without claims.
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

    /// Whether a digest of the whole reveals a mixture of versions.
    package var provesContent: Bool { digests.contains { $0.algorithm.provesContent } }

    /// The validator for `If-Range` (RFC 9110 section 13.1.5), a strong ETag before a date; none
    /// for coded bytes, whose next part may be coded differently.
    package var ifRange: FieldValue? {
        guard coding == nil else { return nil }
        return validators.strongETag ?? validators.strongDate.map { FieldValue($0) }
    }

    /// The contradiction of an answer to earlier claims, in words; nil for none.
    package func contradiction(to said: RepresentationClaims) -> String? {
        validators.contradiction(to: said.validators) ?? contradiction(ofContentTo: said)
    }

    /// Whether an answer is of another length.
    func hasAnotherLength(than said: RepresentationClaims) -> Bool {
        guard let length, let other = said.length else { return false }
        return other != length
    }

    /// The contradiction without regard to the validators of each address; nil for none.
    package func contradiction(ofContentTo said: RepresentationClaims) -> String? {
        if hasAnotherLength(than: said), let length, let other = said.length {
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

    /// Adds the claims of an answer without contradiction.
    package mutating func add(_ said: RepresentationClaims) {
        validators.add(said.validators)
        length = length ?? said.length
        add(digests: said.digests)
    }

    /// Forgets validators that are not valid at another address: all but a strong ETag.
    ///
    /// Only for bytes that a digest of the whole proves in the end.
    package mutating func forgetWeakValidators() {
        if validators.strongETag == nil { validators = Validators() }
    }

    /// Adds digests of the whole; two different ones of an algorithm suffice to refuse any content.
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
            // A digest that cannot be read is not checked.
            do throws(DigestError) { digests.append(try ExpectedDigest(text)) } catch {}
        }
    }

    /// Writes the stored form.
    func write(to object: inout JSONObject) {
        object["total"] = length.map { .integer($0) }
        validators.write(to: &object)
        object["coding"] = coding.map { .string($0) }
        if !digests.isEmpty {
            object["digests"] = .array(digests.map { .string($0.text) })
        }
    }
}
