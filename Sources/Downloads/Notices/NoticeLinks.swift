/// The addresses at which people find what a message is about.
package struct NoticeLinks: Sendable {
    /// The URL of the service, without a slash at its end; empty if it is not known.
    private let base: String
    /// Whether the service has a page for browsers.
    private let hasPage: Bool

    /// Creates the links of a service.
    ///
    /// - Parameters:
    ///   - base: its URL, without a slash at its end; empty if it is not known, and then there are
    ///     no links.
    ///   - hasPage: whether it has a page for browsers; else links lead to the API.
    package init(base: String, hasPage: Bool) {
        self.base = base
        self.hasPage = hasPage
    }

    /// The address of a download or an upload.
    func transfer(_ id: String) -> String? {
        let path = id.hasPrefix("dl_") ? "/v1/downloads/" : "/v1/uploads/"
        return address(page: "/ui/download?id=", api: path, name: id)
    }

    /// The address of a session.
    func session(_ name: String) -> String? {
        hasPage ? link("/ui/sessions") : address(page: "", api: "/v1/sessions/", name: name)
    }

    /// The address of a source.
    func source(_ name: String) -> String? { link("/v1/sources/" + NoticeLinks.escaped(name)) }

    /// The address of the receivers of webhooks.
    var receivers: String? { link(hasPage ? "/ui/webhooks" : "/v1/webhook_endpoints") }

    private func address(page: String, api: String, name: String) -> String? {
        link((hasPage ? page : api) + NoticeLinks.escaped(name))
    }

    private func link(_ path: String) -> String? { base.isEmpty ? nil : base + path }

    /// A name as a segment of a path, or a value of a query.
    private static func escaped(_ name: String) -> String {
        var text = ""
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += byte < 16 ? "%0" + digits : "%" + digits
            }
        }
        return text
    }
}
