// The head of the final answer, as received.
package import Base

/// Status and headers of the final hop.
package struct ResponseHead: Sendable {
    /// One header line.
    package struct Field: Sendable, Equatable {
        /// The name in lower case.
        package let name: String
        /// The value without surrounding white space.
        package let bytes: FieldValue
        /// The value for display.
        package var value: String { bytes.text }

        /// Creates a line; the name in lower case.
        package init(name: String, bytes: FieldValue) {
            self.name = name
            self.bytes = bytes
        }

        /// Creates a line from text.
        package init(name: String, value: String) {
            self.init(name: name, bytes: FieldValue(value))
        }
    }

    /// The status code, 200 to 999.
    package let status: Int
    /// Every header line in order.
    package let fields: [Field]
    /// The framing of the body, by our own reading.
    package let framing: ResponseFraming
    /// The URL of the answer.
    package let url: SourceURL
    /// All URLs of the run, from the first to ``url``.
    package let chain: [SourceURL]

    /// Creates a head, for the engine and for tests.
    ///
    /// - Parameters:
    ///   - status: 200 to 999.
    ///   - fields: the lines, names in lower case.
    ///   - framing: the framing of the body by these lines.
    ///   - url: the URL that answered.
    ///   - chain: every URL of the run, `url` last.
    package init(
        status: Int, fields: [Field], framing: ResponseFraming, url: SourceURL, chain: [SourceURL]
    ) {
        self.status = status
        self.fields = fields
        self.framing = framing
        self.url = url
        self.chain = chain
    }

    /// The first value under a lower-case name.
    package subscript(_ name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// The bytes of the first value under a lower-case name.
    package func bytes(_ name: String) -> FieldValue? {
        fields.first { $0.name == name }?.bytes
    }

    /// `ETag` as sent.
    package var etag: FieldValue? { bytes("etag") }
    /// `Last-Modified` as sent.
    package var lastModified: String? { self["last-modified"] }
    /// `Date` as sent.
    package var date: String? { self["date"] }
    /// `Retry-After` as sent: seconds or an HTTP-date.
    package var retryAfter: String? { self["retry-after"] }
    /// `Content-Type` as sent.
    package var contentType: String? { self["content-type"] }
    /// `Content-Disposition` as sent.
    package var contentDisposition: String? { self["content-disposition"] }
    /// `Repr-Digest` as sent (RFC 9530).
    package var reprDigest: String? { self["repr-digest"] }
    /// `Location` as sent.
    package var location: FieldValue? { bytes("location") }
    /// `Accept-Ranges` as sent.
    package var acceptRanges: String? { self["accept-ranges"] }
}
