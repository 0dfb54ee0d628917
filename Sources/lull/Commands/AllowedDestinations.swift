// The allowed destinations, without the program's own listeners and its database.
internal import Base
internal import Downloads
internal import HTTPServer
internal import Postgres
internal import Store

/// The destinations that are allowed for downloads, webhooks, finished files and proxies.
struct AllowedDestinations {
    let downloads: Destinations
    let webhooks: Destinations
    let uploads: Destinations
    let proxies: Destinations?
}

extension Configuration {
    /// Whether every address and folder that a download names is allowed, as far as its text can
    /// tell.
    ///
    /// This program's own endpoints are refused later, when a connection is made.
    func allows(_ download: Download, app: String) -> Bool {
        DestinationCheck(
            downloads: self.downloadDestinations, webhooks: self.webhookDestinations,
            uploads: self.uploadDestinations, proxies: self.proxyDestinations,
            folders: self.destinations
        ).allow(download, app: app)
    }
}

extension Serve {
    /// The downloads as the duties change them; lost content is fetched again if its destination is
    /// allowed.
    func upkeepDownloads(
        _ pools: Pools, _ changes: ChangeHub, _ facets: FacetBook
    ) -> Downloads {
        var downloads = Downloads(
            pool: pools.upkeep, changes: changes, facets: facets,
            isAllowed: { [live] in live.current.allows($0, app: $1) })
        downloads.zone = { [zones] in zones.rules(of: $0) }
        return downloads
    }

    /// The downloads for the API.
    func readDownloads(_ pools: Pools, _ changes: ChangeHub, _ facets: FacetBook) -> Downloads {
        var downloads = Downloads(
            pool: pools.reads, lists: pools.lists, changes: changes, facets: facets)
        downloads.zone = { [zones] in zones.rules(of: $0) }
        return downloads
    }

    /// The configured destinations without this program's listeners and its database.
    ///
    /// - Throws: `PostgresError` when the database cannot be asked for its address.
    func allowedDestinations(_ pools: Pools) async throws(PostgresError) -> AllowedDestinations {
        let ports = configuration.listen.compactMap { address in
            if case .internet(_, let port) = address { port } else { nil }
        }
        let peer = try await pools.reads.withConnection { connection throws(PostgresError) in
            await connection.peer
        }
        // Behind a pooler or a proxy the server itself has another address.
        let (server, port): (String?, Int?) = try await pools.reads.query(
            "SELECT host(inet_server_addr()), inet_server_port()")[0].values()
        func endpoint(_ address: String?, _ port: Int?) -> Destinations.Endpoint? {
            guard let port, let number = address.flatMap({ IPAddress($0) }) else { return nil }
            return Destinations.Endpoint(address: number, port: port)
        }
        let databases = [
            endpoint(peer?.address, peer?.port),
            endpoint(server, port),
        ]
        func closed(_ list: Destinations) -> Destinations {
            list.refusing(databases.compactMap(\.self)).refusing(ownPorts: ports)
        }
        return AllowedDestinations(
            downloads: closed(configuration.downloadDestinations),
            webhooks: closed(configuration.webhookDestinations),
            uploads: closed(configuration.uploadDestinations),
            proxies: configuration.proxyDestinations.map(closed))
    }
}
