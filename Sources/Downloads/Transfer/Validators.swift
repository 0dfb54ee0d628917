package import Base

/// The validators in the answers of one address; a mirror has other validators for equal bytes.
package struct Validators: Equatable, Sendable {
    /// Whether an answer of the address was accepted; before that nothing can contradict it.
    package var isKnown = false
    /// `ETag` as sent, strong or weak; several different lines are joined, which gives no valid
    /// one.
    package var entityTag: FieldValue?
    /// `Last-Modified` as sent; several different lines are joined, which gives no valid one.
    package var lastModified: String?
    /// Whether the date lay a minute before the answer's `Date` (RFC 9110 section 8.8.2.2).
    package var isDateStrong = false

    /// Creates a value without validators.
    package init() {}

    /// The validators of an answer.
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

    /// The entity tag if it is well formed and strong.
    package var strongETag: FieldValue? { Validators.strong(entityTag) }

    /// The date if `If-Range` may use it.
    package var strongDate: String? { isDateStrong ? lastModified : nil }

    /// A well-formed strong entity tag (RFC 9110 section 8.8.3), or nil for anything else.
    static func strong(_ tag: FieldValue?) -> FieldValue? {
        // The rule is checked on UTF-8, where each byte of a character above 0x7f is above 0x7f,
        // too.
        guard let tag, tag.text.utf8.count >= 2 else { return nil }
        let bytes = tag.text.utf8.span
        let (quote, last) = (UInt8(ascii: "\""), bytes.count - 1)
        guard bytes[0] == quote, bytes[last] == quote else { return nil }
        for place in 1..<last {
            let byte = bytes[place]
            guard byte > 0x20, byte != quote, byte != 0x7f else { return nil }
        }
        return tag
    }

    func contradiction(to said: Validators) -> String? {
        guard isKnown, said.isKnown else { return nil }
        if let entityTag, let other = said.entityTag, other != entityTag { return "another ETag" }
        if entityTag == nil, said.entityTag != nil { return "an ETag, where there was none before" }
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

extension Validators {
    /// Reads the stored form.
    init(stored object: JSONObject) {
        isKnown = !(object["unheard"]?.boolValue ?? false)
        entityTag = FieldValue(stored: object["etag"]) ?? FieldValue(stored: object["tag"])
        lastModified = object["last_modified"]?.stringValue
        isDateStrong = lastModified != nil && !(object["date_is_weak"]?.boolValue ?? false)
    }

    /// Writes the stored form; `etag` is written only if `If-Range` may use it.
    func write(to object: inout JSONObject) {
        if !isKnown { object["unheard"] = true }
        object["etag"] = strongETag?.json
        if strongETag == nil { object["tag"] = entityTag?.json }
        object["last_modified"] = lastModified.map { .string($0) }
        if lastModified != nil, !isDateStrong { object["date_is_weak"] = true }
    }
}
