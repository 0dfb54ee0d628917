// The receiver that the finished file of a download is sent to.
internal import Base

/// The `destination` of a download with a `url`.
///
/// Its headers and credentials are among the secrets of the download: `RequestSecrets.relay`.
package struct Relay: MemberList {
    /// The URL of the receiver.
    package var url: String
    /// The method of the request: PUT or POST.
    package var method = RequestMethod.put
    /// Whether the file stays here for its retention after it was sent.
    package var keepsContent = true
    /// The hook that is asked before every try; nil for none.
    package var hook: BeginHook?

    /// The blank value that reading fills in.
    package static let blank = Relay(url: "")

    /// Creates a relay by PUT to a URL.
    package init(url: String) { self.url = url }

    /// The origin of the receiver, `scheme://host:port`; nil for a text that is no URL.
    package var origin: String? {
        do throws(SourceURLError) {
            return try SourceURL(parsing: url).origin
        } catch {
            return nil
        }
    }

    /// The members.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("url", &url)
        members.visit("method", &method, usually: .put)
        members.visit("keep_content", &keepsContent, usually: true)
        members.visit("hook", &hook)
    }
}
