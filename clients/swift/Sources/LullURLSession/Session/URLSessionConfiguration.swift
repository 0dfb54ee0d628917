public import Foundation
internal import LullClient

/// The configuration of a session: as Apple's, and the service that does its transfers.
///
/// It is copied when a session is made; later changes have no effect. A value that the service
/// refuses ends each task of the session with an error that has the reason.
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
    /// Seconds without a byte after which an attempt ends, above 0 and at most 86400.
    public var timeoutIntervalForRequest: TimeInterval = 60
    /// Seconds after which a transfer ends in all, above 0 and at most 31,536,000.
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
            timeoutIntervalForRequest: timeoutIntervalForRequest.wholeSeconds,
            timeoutIntervalForResource: timeoutIntervalForResource.wholeSeconds,
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
