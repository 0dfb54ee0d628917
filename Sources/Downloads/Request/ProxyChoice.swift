// The proxy of a download.
package import Base

/// An HTTP proxy that a client named; the operator decides whether it may be used.
package struct ProxyChoice: Equatable, Sendable {
    /// Its address, `http://host:port`, without credentials.
    package var url: String
    /// The credentials for it; nil for none.
    package var credentials: ProxyCredentials?

    /// Reads the `proxy` member; nil for none, for `{"mode": "none"}` and for a refused one.
    package init?(reading reader: inout FieldReader) {
        guard let value = reader.value("proxy") else { return nil }
        guard let object = value.objectValue else {
            reader.refuse("proxy", "must be {\"mode\": \"none\"} or an object with a url")
            return nil
        }
        var part = FieldReader(object, at: reader.pointer("proxy"))
        let mode = part.string("mode", maximumLength: 16)
        let url = part.string("url", maximumLength: 1024)
        let username = part.string("username", maximumLength: 1024)
        let password = part.string("password", maximumLength: 1024)
        if let mode, mode != "none" {
            part.refuse("mode", "must be \"none\"; to use a proxy, give a url instead")
        }
        if mode == nil, url == nil { part.refuse("url", "is required") }
        if mode != nil, url != nil { part.refuse("url", "cannot be given together with a mode") }
        if let url, !url.hasPrefix("http://") {
            part.refuse("url", "must begin with http://, because Lull speaks plain HTTP to proxies")
        }
        if (username == nil) != (password == nil) {
            part.refuse("username", "must be given together with password")
        }
        for (key, text) in [("username", username), ("password", password)] {
            if let text, !HeaderFieldRules.allows(value: text) {
                part.refuse(key, "must have no control characters")
            }
        }
        let errors = part.finish()
        reader.adopt(errors)
        guard errors.isEmpty, let url else { return nil }
        self.url = url
        credentials = username.map { ProxyCredentials(username: $0, password: password ?? "") }
    }
}
