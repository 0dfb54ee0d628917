// The answer that brought the content, as far as clients see it.

/// The head of the origin's last answer; all its members are stored and shown.
package struct OriginResponse: MemberList {
    /// The header fields that are kept; absent ones are left out.
    package struct Headers: MemberList {
        /// `Content-Type`.
        package var contentType: String?
        /// `Content-Encoding`.
        package var contentEncoding: String?
        /// `ETag`.
        package var etag: String?
        /// `Last-Modified`.
        package var lastModified: String?
        /// `Date`.
        package var date: String?

        /// Creates a value without fields.
        package init() {}

        /// The blank value that reading fills in.
        package static let blank = Headers()

        /// The members.
        package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
            members.visit("content-type", &contentType, .leftOut)
            members.visit("content-encoding", &contentEncoding, .leftOut)
            members.visit("etag", &etag, .leftOut)
            members.visit("last-modified", &lastModified, .leftOut)
            members.visit("date", &date, .leftOut)
        }
    }

    /// The status code.
    package var statusCode: Int
    /// `Content-Type` without its parameters.
    package var mimeType: String?
    /// A name for the file.
    package var suggestedFilename: String?
    /// The URL that gave the answer.
    package var url: String
    /// The requested URLs: the first one and each redirect.
    package var urlChain: [String] = []
    /// `ETag`.
    package var etag: String?
    /// `Last-Modified`, as the origin wrote it.
    package var lastModified: String?
    /// Fields as the origin sent them.
    package var headers = Headers()
    /// `max-age` of `Cache-Control` in seconds, only in the stored form; nil for none.
    package var maxAge: Int64?
    /// Only in the stored form: bits for the members that are left out; see
    /// `DownloadResult.compacted(of:)`.
    var repeats: Int?

    /// Creates an answer from a URL.
    package init(statusCode: Int, url: String) {
        self.statusCode = statusCode
        self.url = url
    }

    /// The blank value that reading fills in.
    package static let blank = OriginResponse(statusCode: 0, url: "")

    /// The members.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("status_code", &statusCode)
        members.visit("mime_type", &mimeType)
        members.visit("suggested_filename", &suggestedFilename)
        members.visit("url", &url, usually: "")
        members.visit("url_chain", &urlChain)
        members.visit("etag", &etag)
        members.visit("last_modified", &lastModified)
        members.visit("headers", &headers)
        members.visit("max_age", &maxAge, .storedOnly)
        members.visit("repeats", &repeats, .storedOnly)
    }
}
