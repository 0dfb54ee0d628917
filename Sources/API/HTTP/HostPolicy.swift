// Protects a service without keys against web pages.
internal import HTTPWire

/// The rule for the `Host` and `Origin` of a request.
package enum HostPolicy: Sendable {
    /// Any values: requests need a key.
    case any
    /// `Host` names the loopback interface, and requests of web pages come from there.
    ///
    /// Then web pages of other sites cannot reach the service, neither by a name that resolves to
    /// 127.0.0.1 (DNS rebinding) nor by cross-site requests. Over a Unix socket any `Host` is
    /// accepted, because no page can open one; a proxy in front passes on the `Origin` of a page,
    /// so that is checked there as well.
    ///
    /// Requests that a proxy says it forwarded come from other machines. They are refused unless
    /// the operator has chosen that no key is needed, because the proxy knows its clients.
    case loopbackOnly(takesForwarded: Bool)

    /// Whether requests need a key, as `GET /version` shows it: `keys` or `none`.
    var auth: String {
        switch self {
        case .any: "keys"
        case .loopbackOnly: "none"
        }
    }

    /// The fields by which proxies say for whom they forward a request (RFC 7239, and the older
    /// ones beside it).
    private static let forwarding = ["Forwarded", "X-Forwarded-For", "X-Real-IP"]

    /// Checks a request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - isListed: whether it comes from a page whose origin the operator listed.
    /// - Throws: `forbidden`, with what to change.
    func check(_ request: Request, isListed: Bool = false) throws(Problem) {
        guard case .loopbackOnly(let takesForwarded) = self else { return }
        if !takesForwarded { try HostPolicy.checkForwarding(request) }
        if !isListed { try HostPolicy.checkSite(request) }
        let isLocalSocket = request.peer == "unix"
        guard isLocalSocket || request.authority.map(HostPolicy.isLoopback) ?? false else {
            throw Problem(
                .forbidden,
                "This service runs without keys, so it answers only if Host is localhost, "
                    + "127.0.0.1 or [::1]. The request named "
                    + (request.authority.map { "\"\($0)\"" } ?? "no host") + ".")
        }
        guard !isListed else { return }
        // A proxy in front of the socket may have terminated TLS.
        try HostPolicy.checkOrigin(
            request, schemes: isLocalSocket ? ["http://", "https://"] : ["http://"])
    }

    private static func checkForwarding(_ request: Request) throws(Problem) {
        guard let name = forwarding.first(where: { !request.headers.all($0).isEmpty }) else {
            return
        }
        throw Problem(
            .forbidden,
            "This service runs without keys, and a proxy forwarded a request of somebody else "
                + "(\(name)). Set LULL_AUTH=keys and make keys with lull keys create; or "
                + "LULL_AUTH=none, if the proxy itself lets only the right clients through.")
    }

    /// Refuses a change from a page of another site (RFC 6454).
    private static func checkOrigin(
        _ request: Request, schemes: [String]
    ) throws(Problem) {
        guard request.method != "GET", !request.isHead else { return }
        let own = request.authority.map { authority in
            schemes.map { $0 + authority.lowercased() }
        }
        let other = request.headers.all("Origin").first { origin in
            !(own?.contains(origin.lowercased()) ?? false)
        }
        guard let other else { return }
        throw Problem(
            .forbidden,
            "This service runs without keys, so it takes no changes from web pages of other sites "
                + "that LULL_CORS_ORIGINS does not name. The request came from \"\(other)\".")
    }

    /// Refuses a browser's request from another site (W3C Fetch Metadata).
    ///
    /// `none` is a navigation by the user; clients other than browsers do not send the field. A
    /// proxy passes it on, so it is checked over a Unix socket, too. Paths outside `/v1/` show no
    /// downloads.
    private static func checkSite(_ request: Request) throws(Problem) {
        guard request.path.hasPrefix("/v1/") else { return }
        let sites = request.headers.all("Sec-Fetch-Site")
        guard let site = sites.first(where: { $0 != "same-origin" && $0 != "none" }) else { return }
        throw Problem(
            .forbidden,
            "This service runs without keys, so it answers no web pages of other sites. The "
                + "browser sent Sec-Fetch-Site: \(site).")
    }

    /// True for `localhost`, `127.0.0.1` and `[::1]`, with any port.
    package static func isLoopback(_ authority: String) -> Bool {
        // Compared byte by byte, because every request is checked.
        isHost("127.0.0.1", authority) || isHost("localhost", authority)
            || isHost("[::1]", authority)
    }

    /// Whether an authority is a name, given in lower case, with any port.
    private static func isHost(_ name: StaticString, _ authority: String) -> Bool {
        let bytes = authority.utf8.span
        let length = name.utf8CodeUnitCount
        guard bytes.count >= length else { return false }
        let isName = name.withUTF8Buffer { letters in
            letters.indices.allSatisfy { index in
                let byte = bytes[index]
                let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
                return unsafe (isCapital ? byte | 0x20 : byte) == letters[index]
            }
        }
        return isName && (bytes.count == length || bytes[length] == UInt8(ascii: ":"))
    }
}
