// Where a URL of a client may lead, as far as the URL alone can tell.
internal import Core

/// The rule for one kind of URL: what the operator allows, and what to name when it does not.
///
/// Addresses and names of this machine are judged here, so that the client hears of it at once;
/// other names are judged by the addresses that they have when a connection is made.
struct TargetRule: Sendable {
    /// What the operator allows.
    let destinations: Destinations
    /// The setting that says so.
    let setting: String
    /// Where in the body the URL stands.
    let pointer: String

    /// Reads a URL and judges its host.
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
        let addresses = url.address.map { [$0] } ?? TargetRule.loopbackAddresses(url.host)
        // A name that this machine answers for is refused only if every way to it is.
        let isRefused =
            addresses.isEmpty
            ? PortRules.refused.contains(url.port)
            : addresses.allSatisfy {
                destinations.judge($0, port: url.port, host: url.host) != .allowed
            }
        guard isRefused else { return url }
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
            ? "port \(url.port) belongs to another protocol and is never connected to"
            : "\(url.host) port \(url.port) is not among the destinations of this service; its "
                + "operator allows them with \(setting), which is \(destinations)"
        var problem = Problem(.destinationNotAllowed, sentence + ".", at: pointer)
        problem.members["host"] = .string(url.host)
        problem.members["resolved_address"] =
            url.address.map { .string($0.description) } ?? .null
        problem.members["setting"] = .string(setting)
        return problem
    }

    /// What `localhost` and names below it mean everywhere (RFC 6761 section 6.3).
    private static func loopbackAddresses(_ host: String) -> [IPAddress] {
        guard host == "localhost" || host.hasSuffix(".localhost") else { return [] }
        return ["127.0.0.1", "::1"].compactMap { IPAddress($0) }
    }
}

extension Router {
    /// The rule for what is downloaded, told at a pointer.
    func sourceTarget(at pointer: String = "#/url") -> TargetRule {
        TargetRule(
            destinations: dependencies.settings.destinations,
            setting: "LULL_DOWNLOAD_DESTINATIONS", pointer: pointer)
    }

    /// The rule for where events go, told at a pointer.
    func webhookTarget(at pointer: String = "#/webhook_url") -> TargetRule {
        TargetRule(
            destinations: dependencies.settings.webhookDestinations,
            setting: "LULL_WEBHOOK_DESTINATIONS", pointer: pointer)
    }
}
