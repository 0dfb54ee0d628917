// The receiver that the finished file of a download is sent to.
internal import Base

/// The `destination` of a download or session with a `url`.
///
/// Its headers and credentials are among the secrets of the download or session: `relay`.
package struct Relay: MemberList {
    /// The URL of the receiver.
    package var url: String
    /// The protocol by which the file is sent; the URL of one that speaks tus creates uploads.
    package var speaks = RelayProtocol.http
    /// The method of the request: PUT or POST; PUT for tus, which has methods of its own.
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
        members.visit("protocol", &speaks, usually: .http)
        members.visit("method", &method, usually: .put)
        members.visit("keep_content", &keepsContent, usually: true)
        members.visit("hook", &hook)
    }
}

extension Relay {
    /// The longest URL of a receiver in bytes.
    private static let urlBytesAtMost = 8192

    /// Reads the `destination` of a session; nil for none, or for a refused one.
    init?(ofSession reader: inout FieldReader) {
        guard let value = reader.value("destination") else { return nil }
        guard let object = value.objectValue, object["name"]?.isNull ?? true else {
            reader.refuse(
                "destination",
                "of a session must be a receiver, an object with a url; a folder is given by each "
                    + "download")
            return nil
        }
        self.init(object, at: "destination", &reader)
    }

    /// Reads a receiver; nil for a refused one.
    ///
    /// - Parameters:
    ///   - object: its members.
    ///   - key: the member that has them.
    ///   - reader: takes the findings.
    init?(_ object: JSONObject, at key: String, _ reader: inout FieldReader) {
        var part = FieldReader(object, at: reader.pointer(key))
        let url = part.string("url", maximumLength: Relay.urlBytesAtMost)
        if let url, !url.hasPrefix("https://"), !url.hasPrefix("http://") {
            part.refuse("url", "must begin with https:// or http://")
        }
        if url == nil, object["url"]?.isNull ?? true { part.refuse("url", "is required") }
        if let text = part.string("protocol", maximumLength: 32) {
            if let known = RelayProtocol(rawValue: text) {
                speaks = known
            } else {
                part.refuse("protocol", "must be http or tus")
            }
        }
        if let text = part.string("method", maximumLength: 32) {
            if speaks == .tus {
                part.refuse("method", "must not be given with tus, which has methods of its own")
            }
            switch RequestMethod(rawValue: text) {
            case .put: method = .put
            case .post: method = .post
            case .get, nil: part.refuse("method", "must be PUT or POST")
            }
        }
        keepsContent = part.bool("keep_content") ?? true
        hook = BeginHook(reading: &part, at: "hook")
        // These members are secrets, which `Relay.changed` reads.
        for name in ReceiverRequest.members { _ = part.value(name) }
        let errors = part.finish()
        reader.adopt(errors)
        guard errors.isEmpty, let url else { return nil }
        self.url = url
    }

    /// The receiver for clients: its URL without the query, which may have a signature, and the
    /// names of the fields and credentials for it and for its hook.
    ///
    /// - Parameter request: what is shown of its request.
    /// - Returns: the member `destination`.
    func shown(_ request: RequestShape) -> JSON {
        [
            "url": .string(Relay.withoutQuery(url)), "protocol": .string(speaks.rawValue),
            "method": speaks == .tus ? .null : .string(method.rawValue),
            "keep_content": .bool(keepsContent),
            "headers": RequestShape.redacted(request.headerNames),
            "authorization": request.shownAuthorization,
            "hook": hook?.shown(request.hook) ?? .null,
        ]
    }

    /// A URL without its query and fragment.
    package static func withoutQuery(_ url: String) -> String {
        String(url.prefix { $0 != "?" && $0 != "#" })
    }
}
