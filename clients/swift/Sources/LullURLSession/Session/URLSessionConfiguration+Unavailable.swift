// Members of Apple's configurations that have no counterpart.
extension URLSessionConfiguration {
    /// Not here: the service keeps no cache; each download is a file of its own.
    @available(*, unavailable, message: "Lull has no cache; each download is a file of its own")
    public var urlCache: AnyObject? {
        get { nil }
        set {}
    }

    /// Not here: Lull keeps cookies for one attempt alone.
    @available(*, unavailable, message: "Lull keeps cookies for one attempt alone")
    public var httpCookieStorage: AnyObject? {
        get { nil }
        set {}
    }

    /// Not here: credentials go with the request.
    @available(*, unavailable, message: "give credentials in the header fields of the request")
    public var urlCredentialStorage: AnyObject? {
        get { nil }
        set {}
    }

    /// Not here: transfers run in the service, where no protocol of this program can be.
    @available(*, unavailable, message: "transfers run in the service, not in this program")
    public var protocolClasses: [AnyClass]? {
        get { nil }
        set {}
    }

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

    /// Not here: the service keeps no cache.
    @available(*, unavailable, message: "Lull has no cache; each download is a file of its own")
    public var requestCachePolicy: URLRequest.CachePolicy {
        get { .useProtocolCachePolicy }
        set {}
    }

    /// Not here: the service orders transfers by its policy.
    @available(*, unavailable, message: "use isDiscretionary, or priority of a task")
    public var networkServiceType: URLRequest.NetworkServiceType {
        get { .default }
        set {}
    }

    /// Not here: Lull keeps cookies for one attempt alone.
    @available(*, unavailable, message: "Lull keeps cookies for one attempt alone")
    public var httpShouldSetCookies: Bool {
        get { true }
        set {}
    }

    /// Not here: Lull keeps cookies for one attempt alone.
    @available(*, unavailable, message: "Lull keeps cookies for one attempt alone")
    public var httpCookieAcceptPolicy: AnyObject? {
        get { nil }
        set {}
    }

    /// Not here: no request is sent before an answer.
    @available(
        *, unavailable, message: "Lull sends no request before the answer to the one before it"
    )
    public var httpShouldUsePipelining: Bool {
        get { false }
        set {}
    }

    /// Not here: the operator of the service sets proxies.
    @available(
        *, unavailable, message: "the operator sets proxies, and NewDownload of LullClient one"
    )
    public var connectionProxyDictionary: [AnyHashable: Any]? {
        get { nil }
        set {}
    }

    /// Not here: the operator of the service sets proxies.
    @available(
        *, unavailable, message: "the operator sets proxies, and NewDownload of LullClient one"
    )
    public var proxyConfigurations: [AnyObject] {
        get { [] }
        set {}
    }

    /// Not here: the operator of the service sets it.
    @available(*, unavailable, message: "transfers use TLS 1.2 or later")
    public var tlsMinimumSupportedProtocol: AnyObject? {
        get { nil }
        set {}
    }

    /// Not here: the operator of the service sets it.
    @available(*, unavailable, message: "transfers use TLS 1.2 or later")
    public var tlsMaximumSupportedProtocol: AnyObject? {
        get { nil }
        set {}
    }

    /// Not here: the operator of the service sets it.
    @available(*, unavailable, message: "transfers use TLS 1.2 or later")
    public var tlsMinimumSupportedProtocolVersion: AnyObject? {
        get { nil }
        set {}
    }

    /// Not here: the operator of the service sets it.
    @available(*, unavailable, message: "transfers use TLS 1.2 or later")
    public var tlsMaximumSupportedProtocolVersion: AnyObject? {
        get { nil }
        set {}
    }

    /// Not here: connections are those of the service.
    @available(*, unavailable, message: "connections are those of the service")
    public var shouldUseExtendedBackgroundIdleMode: Bool {
        get { false }
        set {}
    }

    /// Not here: connections are those of the service.
    @available(*, unavailable, message: "connections are those of the service")
    public var multipathServiceType: AnyObject? {
        get { nil }
        set {}
    }

    /// Not here: names are resolved by the service.
    @available(*, unavailable, message: "names are resolved by the service")
    public var requiresDNSSECValidation: Bool {
        get { false }
        set {}
    }

    /// Not here: connections are those of the service.
    @available(*, unavailable, message: "connections are those of the service")
    public var enablesEarlyData: Bool {
        get { false }
        set {}
    }
}
