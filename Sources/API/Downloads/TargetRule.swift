// Checks the destination of a client's URL, as far as the URL alone shows it.
internal import Base
internal import Downloads

/// The rule for one kind of URL: the allowed destinations, and the setting to name in a refusal.
///
/// Addresses and names of this machine are checked here, so that the request is refused; other
/// names are checked when a connection is made.
struct TargetRule: Sendable {
    /// The allowed destinations.
    let destinations: Destinations
    /// The setting with these destinations.
    let setting: String
    /// The object that has the URL as a member.
    let place: LayeredObject
    /// The member's name.
    let member: String
    /// The rest of the pointer: an index of a list, or a name in an object.
    var suffix = ""

    /// The pointer to the URL in the body.
    private var pointer: String { place.pointer(member) + suffix }

    /// Reads a URL and checks its host.
    ///
    /// - Throws: `unsupported-url-scheme`, `validation-failed` or `destination-not-allowed`.
    @discardableResult
    func check(_ text: String) throws(Problem) -> SourceURL {
        let url: SourceURL
        do throws(SourceURLError) {
            url = try SourceURL(parsing: text)
        } catch {
            throw problem(error)
        }
        guard destinations.refuse(url) else { return url }
        throw refusal(url)
    }

    private func problem(_ error: SourceURLError) -> Problem {
        guard error.reason == .unsupportedScheme else {
            return .invalid(pointer, error.description)
        }
        return Problem(.unsupportedURLScheme, error.description, at: pointer)
    }

    private func refusal(_ url: SourceURL) -> Problem {
        let sentence =
            PortRules.refused.contains(url.port)
            ? "port \(url.port) belongs to another protocol, and this service never connects to it"
            : "this service may not connect to \(url.host) port \(url.port): the operator allows "
                + "destinations with \(setting), which is \(destinations)"
        var problem = Problem(.destinationNotAllowed, sentence + ".", at: pointer)
        problem.members["host"] = .string(url.host)
        problem.members["resolved_address"] =
            url.address.map { .string($0.description) } ?? .null
        problem.members["setting"] = .string(setting)
        return problem
    }
}

/// The rules for every kind of URL.
struct TargetRules: Sendable {
    /// The allowed sources of downloads.
    let downloads: Destinations
    /// The allowed receivers of webhooks.
    let webhooks: Destinations
    /// The allowed receivers of finished files.
    let uploads: Destinations
    /// The allowed proxies of downloads; nil for no proxies.
    let proxies: Destinations?

    /// The rule for a source that is a member of an object.
    private func source(_ member: String, of place: LayeredObject) -> TargetRule {
        TargetRule(
            destinations: downloads, setting: "LULL_DOWNLOAD_DESTINATIONS", place: place,
            member: member)
    }

    /// The rule for a receiver of webhooks.
    func webhook(of place: LayeredObject = .document) -> TargetRule {
        TargetRule(
            destinations: webhooks, setting: "LULL_WEBHOOK_DESTINATIONS", place: place,
            member: "webhook_url")
    }

    /// The rule for a begin hook, which is a receiver, too.
    func beginHook(of place: LayeredObject = .document) -> TargetRule {
        var rule = TargetRule(
            destinations: webhooks, setting: "LULL_WEBHOOK_DESTINATIONS", place: place,
            member: "begin_hook")
        rule.suffix = "/url"
        return rule
    }

    /// The rule for the receiver of a finished file.
    func relay(of place: LayeredObject = .document) -> TargetRule {
        TargetRule(
            destinations: uploads, setting: "LULL_UPLOAD_DESTINATIONS", place: place,
            member: "destination", suffix: "/url")
    }

    /// Checks the receiver of a finished file, and its hook, which is a receiver of webhooks.
    ///
    /// - Throws: what a bad one is refused with.
    func check(_ relay: Relay, at place: LayeredObject = .document) throws(Problem) {
        try self.relay(of: place).check(relay.url)
        guard let hook = relay.hook else { return }
        try TargetRule(
            destinations: webhooks, setting: "LULL_WEBHOOK_DESTINATIONS", place: place,
            member: "destination", suffix: "/hook/url"
        ).check(hook.url)
    }

    /// The origin of the `url` of a download.
    ///
    /// - Parameters:
    ///   - url: the text.
    ///   - place: where the members of the download stand in the body.
    /// - Returns: `scheme://host:port`.
    /// - Throws: what a bad one is refused with.
    func origin(
        of url: String, at place: LayeredObject = .document
    ) throws(Problem) -> String {
        try source("url", of: place).check(url).origin
    }

    /// The origins of the `urls` of a download, one for each.
    func origins(
        of urls: [String], at place: LayeredObject = .document
    ) throws(Problem) -> [String] {
        var origins: [String] = []
        for (number, text) in urls.enumerated() {
            var rule = source("urls", of: place)
            rule.suffix = "/\(number)"
            origins.append(try rule.check(text).origin)
        }
        return origins
    }

    /// Checks the receivers of a download, its own or its session's.
    ///
    /// - Throws: what a bad one is refused with.
    func checkReceivers(
        _ spec: DownloadSpec, at place: LayeredObject = .document
    ) throws(Problem) {
        if let hook = spec.webhookURL { try webhook(of: place).check(hook) }
        if let hook = spec.beginHook { try beginHook(of: place).check(hook.url) }
        if let relay = spec.relay { try check(relay, at: place) }
    }

    /// Checks the proxy of a request.
    ///
    /// - Throws: `proxy-not-allowed`, `validation-failed` or `destination-not-allowed`.
    func checkProxy(
        _ url: String?, at place: LayeredObject = .document
    ) throws(Problem) {
        guard let text = url else { return }
        guard let proxies else {
            throw Problem(
                .proxyNotAllowed,
                "This service may not use proxies, unless its operator sets "
                    + "LULL_PROXY_DESTINATIONS. Leave proxy out, or send {\"mode\": \"none\"}.",
                at: place.pointer("proxy") + "/url")
        }
        let url = try TargetRule(
            destinations: proxies, setting: "LULL_PROXY_DESTINATIONS", place: place,
            member: "proxy", suffix: "/url"
        ).check(text)
        guard url.target == "/" else {
            throw .invalid(
                place.pointer("proxy") + "/url", "must be http://host:port without a path")
        }
    }
}
