// "Only if changed": the known version of a content, by which an origin is asked for another one.
package import Base

/// The known version of a download's content, stored with its request.
///
/// The validators are sent with the first request for the whole. An answer 304 to them, or content
/// with the known digest, ends the download as unchanged.
package struct ChangeCondition: MemberList {
    /// The value of `If-None-Match`: entity tags as the origin gave them; nil to send none.
    package var etag: String?
    /// The value of `If-Modified-Since`, as the origin gave it; nil to send none.
    package var lastModified: String?
    /// SHA-256 of the known content, 64 hexadecimal digits; nil where it is not known.
    package var digest: String?
    /// The origin of the answer that had the validators, `scheme://host:port`.
    ///
    /// A 304 of another origin proves nothing; nil accepts every origin.
    package var origin: String?
    /// The download that has the known content; nil for none.
    package var unchangedFrom: Identifier?
    /// Whether an unchanged download gets the file of `unchangedFrom`, and fetches it anew where
    /// that is no longer kept; otherwise it gets the file only where it is kept.
    package var isContentWanted = false

    /// Creates a condition; all its members may be absent.
    package init(
        etag: String? = nil, lastModified: String? = nil, digest: String? = nil,
        unchangedFrom: Identifier? = nil
    ) {
        self.etag = etag
        self.lastModified = lastModified
        self.digest = digest
        self.unchangedFrom = unchangedFrom
    }

    /// The blank value that reading fills in.
    package static let blank = ChangeCondition()

    /// The members as they are stored.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("etag", &etag)
        members.visit("last_modified", &lastModified)
        members.visit("sha256", &digest)
        members.visit("origin", &origin)
        members.visit("unchanged_from", &unchangedFrom)
        members.visit("content_wanted", &isContentWanted, usually: false)
    }

    /// Whether there is a validator to send.
    package var hasValidators: Bool { etag != nil || lastModified != nil }

    /// Asks for the content in any case; it is still compared with the known digest.
    package mutating func dropValidators() { (etag, lastModified) = (nil, nil) }

    /// Whether its client gave the validators itself.
    package var isOwn: Bool { unchangedFrom == nil && digest == nil && hasValidators }

    /// Whether a text has one to many entity tags with commas between them (RFC 9110 section
    /// 13.1.2); `*` is none.
    static func isListOfTags(_ text: String) -> Bool {
        var rest = text.utf8[...]
        while true {
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
            if rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
            guard rest.first == UInt8(ascii: "\"") else { return false }
            rest = rest.dropFirst()
            guard let end = rest.firstIndex(of: UInt8(ascii: "\"")),
                rest[..<end].allSatisfy({ $0 > 0x20 && $0 != 0x7f })
            else { return false }
            rest = rest[end...].dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
            guard let next = rest.first else { return true }
            guard next == UInt8(ascii: ",") else { return false }
            rest = rest.dropFirst()
        }
    }

    /// Whether a text is a date in the one form that is sent today (RFC 9110 section 5.6.7).
    static func isDate(_ text: String) -> Bool {
        Timestamp(httpDate: text, now: Timestamp(microseconds: 0))?.httpDate == text
    }
}
