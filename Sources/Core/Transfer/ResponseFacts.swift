// What an origin's answer says, as far as our rules read it.

/// The head of an answer, reduced to what decides over its bytes.
package struct ResponseFacts: Equatable, Sendable {
    /// The status code.
    package var status: Int
    /// `Content-Length`, where it is unambiguous.
    package var contentLength: Int64?
    /// Why the framing cannot be trusted, or nil.
    package var ambiguity: String?
    /// Whether the body is chunked, so that its end shows.
    package var isChunked = false
    /// `Content-Range` as sent.
    package var contentRange: String?
    /// `Content-Type` as sent.
    package var contentType: String?
    /// `Content-Encoding` as sent.
    package var contentEncoding: String?
    /// `ETag` as sent; the values of lines that differ, with commas between.
    package var etag: String?
    /// `Last-Modified` as sent, likewise.
    package var lastModified: String?
    /// `Date` as sent.
    package var date: String?
    /// `Repr-Digest` as sent, all lines and trailers.
    package var reprDigest: String?
    /// `Content-Digest` as sent, likewise.
    package var contentDigest: String?
    /// `Digest` as sent, likewise.
    package var digest: String?
    /// `Content-MD5` as sent, likewise.
    package var contentMD5: String?
    /// The URL that was answered, after redirects.
    package var url: String

    /// Names what is always there.
    package init(status: Int, url: String) {
        self.status = status
        self.url = url
    }

    /// The ETag if it is well formed and strong (RFC 9110 section 8.8.3).
    package var strongETag: String? { Validators.strong(etag) }

    /// `Content-Encoding` in lower case; nil for none and for `identity`.
    package var coding: String? {
        let coding = (contentEncoding ?? "identity").lowercased()
        return coding == "identity" ? nil : coding
    }

    /// Whether the content is a whole representation.
    package var isWhole: Bool { status == 200 || status == 201 }
}

/// A `Content-Range` of bytes (RFC 9110 section 14.4).
package struct ContentRange: Equatable, Sendable {
    /// First and last byte, or nil in the unsatisfied form.
    package let bytes: ClosedRange<Int64>?
    /// The whole length, or nil for `*`.
    package let total: Int64?

    /// Reads `bytes 0-9/100`, `bytes 0-9/*` and `bytes */100`.
    package init?(_ text: String) {
        guard text.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let total = parts[1] == "*" ? nil : ContentRange.number(parts[1])
        guard parts[1] == "*" || total != nil else { return nil }
        if parts[0] == "*" {
            guard total != nil else { return nil }
            bytes = nil
        } else {
            let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count == 2, let first = ContentRange.number(ends[0]),
                let last = ContentRange.number(ends[1]), first <= last, last < total ?? .max
            else { return nil }
            bytes = first...last
        }
        self.total = total
    }

    private static func number(_ text: Substring) -> Int64? {
        guard (1...18).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(text)
    }
}
