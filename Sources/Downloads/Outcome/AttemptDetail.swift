// One attempt in the record of a download: the column `detail`, and members of `…/attempts`.
package import Base

/// Facts about an attempt besides its number, times and outcome.
///
/// All members are stored, absent ones left out; all are shown, absent ones as `null`.
package struct AttemptDetail: MemberList {
    /// The beginning of the body of an error.
    package struct Excerpt: MemberList {
        /// `utf-8`, or `base64` for bytes that are not printable.
        package var encoding: String
        /// The bytes in that encoding.
        package var text: String
        /// Whether the body was longer.
        package var isCut: Bool

        /// Creates an excerpt from encoded bytes.
        package init(encoding: String, text: String, isCut: Bool) {
            self.encoding = encoding
            self.text = text
            self.isCut = isCut
        }

        /// The blank value that reading fills in.
        package static let blank = Excerpt(encoding: "utf-8", text: "", isCut: false)

        /// The members.
        package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
            members.visit("encoding", &encoding)
            members.visit("text", &text)
            members.visit("is_cut", &isCut)
        }
    }

    /// The address that was asked.
    package var url: String?
    /// The reason why it failed.
    package var error: DownloadFailure?
    /// The phase of the exchange in which a transfer failed, in the transport's words.
    package var phase: String?
    /// The transport's message about the failure.
    package var transportError: String?
    /// The origin's status.
    package var httpStatus: Int?
    /// The beginning of the body of an error.
    package var excerpt: Excerpt?
    /// Bytes in the file before the attempt.
    package var resumedFrom: Int64?
    /// The most streams at once, where there were several.
    package var streams: Int?
    /// Bytes of earlier attempts that were discarded.
    package var bytesDiscarded: Int64?
    /// The reason why these bytes were discarded.
    package var discardReason: String?
    /// Microseconds until the name was resolved.
    package var lookupTime: Int64?
    /// Microseconds until the connection was made.
    package var connectTime: Int64?
    /// Microseconds until the TLS handshake was done.
    package var tlsTime: Int64?
    /// Microseconds until the first byte of the answer.
    package var firstByteTime: Int64?
    /// Microseconds until the end.
    package var totalTime: Int64?
    /// Seconds of the wait before the attempt, by blocker; nil for less than one.
    package var timeBlocked: JSONObject?
    /// The direction, where it is `send`: the file went to its receiver; nil for an attempt that
    /// received.
    package var direction: String?

    /// Creates a detail without facts.
    package init() {}

    /// The blank value that reading fills in.
    package static let blank = AttemptDetail()

    /// The members.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("url", &url)
        members.visit("error", &error)
        members.visit("phase", &phase)
        members.visit("transport_error", &transportError)
        members.visit("http_status", &httpStatus)
        members.visit("excerpt", &excerpt)
        members.visit("resumed_from", &resumedFrom)
        members.visit("streams", &streams)
        members.visit("bytes_discarded", &bytesDiscarded)
        members.visit("discard_reason", &discardReason)
        members.visit("lookup_us", &lookupTime)
        members.visit("connect_us", &connectTime)
        members.visit("tls_us", &tlsTime)
        members.visit("first_byte_us", &firstByteTime)
        members.visit("total_us", &totalTime)
        members.visit("time_blocked", &timeBlocked)
        members.visit("direction", &direction)
    }

    /// Writes the members into an object that was begun.
    package func writeShown(to writer: inout JSONWriter) {
        var shown = self
        shown.direction = direction ?? "receive"
        shown.writeMembers(to: &writer, as: .shown)
    }
}
