// The parts of an origin's answer that the rules depend on.
package import Base

/// The head of an answer, reduced to the facts that decide about its bytes.
package struct ResponseFacts: Equatable, Sendable {
    /// The status code.
    package var status: Int
    /// `Content-Length`, if it is unambiguous.
    package var contentLength: Int64?
    /// The reason why the framing cannot be trusted; nil if it can.
    package var ambiguity: String?
    /// Whether the body is chunked, so that its end is marked.
    package var isChunked = false
    /// `Content-Range`; nil if there is no readable one.
    package var contentRange: ContentRange?
    /// Whether `Accept-Ranges` names `bytes`.
    package var acceptsByteRanges = false
    /// `Content-Type` as sent.
    package var contentType: String?
    /// `Content-Encoding` as sent.
    package var contentEncoding: String?
    /// `ETag` as sent; several different lines are joined with commas.
    package var etag: FieldValue?
    /// `Last-Modified` as sent; several different lines are joined with commas.
    package var lastModified: String?
    /// `Date` as sent.
    package var date: String?
    /// `Repr-Digest` as sent, all lines and trailers.
    package var reprDigest: String?
    /// `Content-Digest` as sent, all lines and trailers.
    package var contentDigest: String?
    /// `Digest` as sent, all lines and trailers.
    package var digest: String?
    /// `Content-MD5` as sent, all lines and trailers.
    package var contentMD5: String?
    /// The fields in which stores and repositories give digests, with lower-case names; see
    /// `StoreDigests`.
    package var storeFields: [StoreDigests.Field] = []
    /// Whether the text of an error says that the URL's signature has expired.
    package var saysExpired = false
    /// Whether headers or credentials of the client were not sent to the URL.
    package var lacksCredentials = false
    /// The URL of the answer, after redirects.
    package var url: String

    /// Creates facts with the values that are always there.
    package init(status: Int, url: String) {
        self.status = status
        self.url = url
    }

    /// Whether it is a 400 for an expired signature, as some clouds send it.
    var isExpired400: Bool { status == 400 && saysExpired }

    /// The ETag if it is well formed and strong (RFC 9110 section 8.8.3).
    package var strongETag: FieldValue? { Validators.strong(etag) }

    /// `Content-Encoding` in lower case; nil for none and for `identity`.
    package var coding: String? {
        guard let coding = contentEncoding?.lowercased(), coding != "identity" else { return nil }
        return coding
    }

    /// Whether a later request could ask for the rest of its content (RFC 9110 section 13.1.5).
    ///
    /// - Parameter now: what two-digit years are read by.
    /// - Returns: whether it names a unit and a validator to ask with.
    package func namesRest(now: Timestamp) -> Bool {
        guard acceptsByteRanges, coding == nil else { return false }
        return strongETag != nil || Validators(self, now: now).strongDate != nil
    }

    /// Whether the content is a whole representation.
    package var isWhole: Bool { status == 200 || status == 203 }
}
