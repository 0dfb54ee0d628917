// The allowed destinations, without the program's own listeners and its database.
internal import Core
internal import HTTPServer
internal import Postgres

/// Where downloads may come from where webhooks may go, and where proxies may be.
struct AllowedDestinations {
    let downloads: Destinations
    let webhooks: Destinations
    let proxies: Destinations?
}

extension Serve {
    /// The configured lists without this program's listeners and its database.
    ///
    /// - Throws: `PostgresError` when the database cannot be asked for its address.
    func allowedDestinations(_ pools: Pools) async throws(PostgresError) -> AllowedDestinations {
        let ports = configuration.listen.compactMap { address in
            if case .internet(_, let port) = address { port } else { nil }
        }
        let peer = try await pools.reads.withConnection { connection throws(PostgresError) in
            await connection.peer
        }
        let database = peer.flatMap { peer in
            IPAddress(peer.address).map { Destinations.Endpoint(address: $0, port: peer.port) }
        }
        func closed(_ list: Destinations) -> Destinations {
            list.refusing([database].compactMap { $0 }).refusing(ownPorts: ports)
        }
        return AllowedDestinations(
            downloads: closed(configuration.downloadDestinations),
            webhooks: closed(configuration.webhookDestinations),
            proxies: configuration.proxyDestinations.map(closed))
    }
}
