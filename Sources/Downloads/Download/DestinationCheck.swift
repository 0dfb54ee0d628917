// Checks the destinations of a download that was not just requested, such as one that is fetched
// again because its content was lost.
package import Base

/// Whether the operator allows the destinations of a download.
package struct DestinationCheck: Sendable {
    private let downloads: Destinations
    private let webhooks: Destinations
    private let uploads: Destinations
    private let proxies: Destinations?
    private let folders: AllowedPlaces

    /// Creates a check; nil allows no proxies, or no folders and stores.
    package init(
        downloads: Destinations, webhooks: Destinations, uploads: Destinations,
        proxies: Destinations?, folders: AllowedPlaces?
    ) {
        self.downloads = downloads
        self.webhooks = webhooks
        self.uploads = uploads
        self.proxies = proxies
        self.folders = folders ?? .none
    }

    /// Whether the addresses, the receivers of webhooks and of the file, the proxy and the folder
    /// of a download are all allowed.
    ///
    /// - Parameters:
    ///   - download: the download.
    ///   - app: the name of its app.
    /// - Returns: whether a create of it would be accepted by its URLs, as far as they alone can
    ///   tell, and by its folder.
    package func allow(_ download: Download, app: String) -> Bool {
        let spec = download.shared.value
        let sources = [download.url] + spec.urls
        let receivers = [spec.webhookURL, spec.beginHook?.url, spec.relay?.hook?.url]
            .compactMap(\.self)
        return sources.allSatisfy { DestinationCheck.allows($0, by: downloads) }
            && receivers.allSatisfy { DestinationCheck.allows($0, by: webhooks) }
            && spec.relay.map { DestinationCheck.allows($0.url, by: uploads) } != false
            && spec.request.proxyURL.map { DestinationCheck.allows($0, by: proxies) } != false
            && spec.destination.map { folders.takes($0, app: app) } != false
    }

    private static func allows(_ text: String, by destinations: Destinations?) -> Bool {
        guard let destinations else { return false }
        do throws(SourceURLError) {
            return !destinations.refuse(try SourceURL(parsing: text))
        } catch {
            return false
        }
    }
}

extension Destinations {
    /// Whether the host of a URL can be refused before its name is resolved: as an address, or as a
    /// name of this machine whose addresses are all denied.
    package func refuse(_ url: SourceURL) -> Bool {
        func isDenied(_ address: IPAddress) -> Bool {
            judge(address, port: url.port, host: url.host) != .allowed
        }
        if let address = url.address { return isDenied(address) }
        let addresses = Destinations.loopbackAddresses(url.host)
        return addresses.isEmpty
            ? PortRules.refused.contains(url.port) : addresses.allSatisfy(isDenied)
    }

    /// The addresses of `localhost` and of names below it (RFC 6761 section 6.3); none for others.
    private static func loopbackAddresses(_ host: String) -> [IPAddress] {
        guard host == "localhost" || host.hasSuffix(".localhost") else { return [] }
        return ["127.0.0.1", "::1"].compactMap { IPAddress($0) }
    }
}
