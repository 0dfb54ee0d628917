// The object stores of LULL_DESTINATIONS.
internal import Base
internal import Downloads
internal import Glibc
internal import ObjectStores
internal import Platform
internal import Store
internal import Transfers
internal import Worker

extension Configuration {
    /// The stores of the settings; nothing is requested from them.
    ///
    /// - Parameters:
    ///   - environment: the process's variables, for credentials without a file.
    ///   - now: the time for signatures.
    /// - Returns: the stores, and the engine that they share.
    /// - Throws: what libcurl refuses.
    func openStores(
        environment: [String: String], now: @escaping @Sendable () -> Timestamp
    ) throws -> WorkerStores {
        let entries = (self.destinations ?? .none).list
        guard entries.contains(where: { $0.store != nil }) else { return .none }
        let engine = try TransferEngine.open(
            TransferEngine.Configuration(
                destinations: try storeDestinations, userAgent: "Lull/\(Version.text)",
                certificateFile: self.certificateFile, proxyDestinations: nil))
        let stores = entries.compactMap { entry in
            entry.store.map {
                ObjectStore(
                    entry.name, app: entry.app, $0, over: engine, environment: environment,
                    now: now)
            }
        }
        return WorkerStores(OpenStores(stores), over: engine)
    }

    /// The addresses at which stores may be: all but link-local ones, since the operator names each
    /// endpoint and no redirect is followed.
    var storeDestinations: Destinations {
        get throws { try Destinations.parse("public,private,loopback") }
    }
}

extension Serve {
    /// The stores of the settings, over an engine of their own.
    func openStores(_ clock: DatabaseClock) throws -> WorkerStores {
        try configuration.openStores(environment: source?.environment ?? [:]) { clock.now }
    }

    /// Passes authorities to the engine of stores, which read their credentials anew.
    func renewStores(_ parts: Parts) async throws {
        await parts.stores.engine?.renew(
            try configuration.storeDestinations, proxies: nil,
            certificateFile: configuration.certificateFile)
        for store in parts.stores.open.all { store.forgetCredentials() }
    }
}
