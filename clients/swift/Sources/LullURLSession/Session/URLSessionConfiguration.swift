public import Foundation
internal import LullClient

/// The configuration of a session: as Apple's, and the service that does its transfers.
///
/// It is copied when a session is made; later changes have no effect.
open class URLSessionConfiguration: NSObject {
    enum Kind: Sendable {
        case `default`, ephemeral, background
    }

    let kind: Kind
    /// The name of a background session; nil of the others.
    public let identifier: String?
    /// The service; `LULL_SERVER`, without it `http://127.0.0.1:8080`.
    public let server: URL
    let key: String?

    /// Whether its downloads wait for the moment that the policy of the service names.
    public var isDiscretionary = false
    /// Whether the service wakes the program by `session.wake`, where a receiver names that event.
    public var sessionSendsLaunchEvents = true
    /// Seconds without a byte after which an attempt ends, at least 1.
    public var timeoutIntervalForRequest: TimeInterval = 60
    /// Seconds after which a transfer ends in all.
    public var timeoutIntervalForResource: TimeInterval = 604_800
    /// Fields that each request carries, of texts; they go to every origin.
    public var httpAdditionalHeaders: [AnyHashable: Any]?
    /// Whether transfers may run while the operator calls the network expensive.
    public var allowsExpensiveNetworkAccess = true
    /// Whether transfers may run while the operator calls the network constrained.
    public var allowsConstrainedNetworkAccess = true
    /// Whether transfers wait, at no cost, while their origin is not reached.
    public var waitsForConnectivity = true
    /// How many connections at once to one origin.
    public var httpMaximumConnectionsPerHost = 6

    init(_ kind: Kind, identifier: String?, server: URL?, key: String?) {
        let named = Lull()
        self.kind = kind
        self.identifier = identifier
        self.server = server ?? named.server
        self.key = key ?? ProcessInfo.processInfo.environment["LULL_KEY"]
    }

    /// A session whose transfers are given up when the program ends.
    ///
    /// That is half a minute after the service has heard of the program last, or when it starts again.
    /// Resume data of the session are good until then.
    public class var `default`: URLSessionConfiguration {
        .default(server: nil, key: nil)
    }

    /// As `default`, with another service.
    public class func `default`(server: URL?, key: String?) -> URLSessionConfiguration {
        URLSessionConfiguration(.default, identifier: nil, server: server, key: key)
    }

    /// A session of which the service keeps neither queries of URLs nor content that was read.
    public class var ephemeral: URLSessionConfiguration {
        .ephemeral(server: nil, key: nil)
    }

    /// As `ephemeral`, with another service.
    public class func ephemeral(server: URL?, key: String?) -> URLSessionConfiguration {
        URLSessionConfiguration(.ephemeral, identifier: nil, server: server, key: key)
    }

    /// A session whose transfers go on while the program does not run.
    ///
    /// - Parameters:
    ///   - identifier: its name, unique in the app of the key: letters, digits, `.`, `_` and `-`.
    ///   - server: the service; nil for that of `LULL_SERVER`.
    ///   - key: `lull_…`; nil for that of `LULL_KEY`.
    /// - Returns: a configuration to change before a session is made of it.
    public class func background(
        withIdentifier identifier: String, server: URL? = nil, key: String? = nil
    ) -> URLSessionConfiguration {
        URLSessionConfiguration(.background, identifier: identifier, server: server, key: key)
    }

    /// Not here: the service keeps no cache; each download is a file of its own.
    @available(*, unavailable, message: "Lull has no cache; each download is a file of its own")
    public var urlCache: Never? { nil }

    /// Not here: Lull keeps cookies for one attempt alone.
    @available(*, unavailable, message: "Lull keeps cookies for one attempt alone")
    public var httpCookieStorage: Never? { nil }

    /// Not here: credentials go with the request.
    @available(*, unavailable, message: "give credentials in the header fields of the request")
    public var urlCredentialStorage: Never? { nil }

    /// Not here: transfers run in the service, where no protocol of this program can be.
    @available(*, unavailable, message: "transfers run in the service, not in this program")
    public var protocolClasses: [AnyClass]? { nil }

    /// Not here: a server has no cellular network; see `allowsExpensiveNetworkAccess`.
    @available(*, unavailable, message: "use allowsExpensiveNetworkAccess")
    public var allowsCellularAccess: Bool {
        get { true }
        set {}
    }

    /// Not here: there are no containers of apps.
    @available(*, unavailable, message: "a server has no shared containers")
    public var sharedContainerIdentifier: String? {
        get { nil }
        set {}
    }

    /// What the service is told.
    func document() -> SessionConfiguration {
        let fields = (httpAdditionalHeaders ?? [:]).reduce(into: [String: String]()) {
            $0["\($1.key)"] = "\($1.value)"
        }
        return SessionConfiguration(
            kind: kind == .ephemeral ? .ephemeral : .background, isDiscretionary: isDiscretionary,
            allowsExpensiveNetworkAccess: allowsExpensiveNetworkAccess,
            allowsConstrainedNetworkAccess: allowsConstrainedNetworkAccess,
            waitsForConnectivity: waitsForConnectivity,
            sendsLaunchEvents: sessionSendsLaunchEvents,
            endsWithClient: kind == .default ? "30s" : nil,
            timeoutIntervalForRequest: Int(timeoutIntervalForRequest.rounded(.up)),
            timeoutIntervalForResource: Int(timeoutIntervalForResource.rounded(.up)),
            httpMaximumConnectionsPerHost: httpMaximumConnectionsPerHost,
            httpAdditionalHeaders: fields.isEmpty ? nil : fields,
            httpAdditionalHeadersOrigins: fields.isEmpty ? nil : ["*"])
    }

    func duplicate() -> URLSessionConfiguration {
        let copy = URLSessionConfiguration(kind, identifier: identifier, server: server, key: key)
        copy.isDiscretionary = isDiscretionary
        copy.sessionSendsLaunchEvents = sessionSendsLaunchEvents
        copy.timeoutIntervalForRequest = timeoutIntervalForRequest
        copy.timeoutIntervalForResource = timeoutIntervalForResource
        copy.httpAdditionalHeaders = httpAdditionalHeaders
        copy.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
        copy.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
        copy.waitsForConnectivity = waitsForConnectivity
        copy.httpMaximumConnectionsPerHost = httpMaximumConnectionsPerHost
        return copy
    }
}
