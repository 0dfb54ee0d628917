// Reloading settings, files of secrets, certificate authorities and encryption keys on SIGHUP.
internal import Crypto
internal import HTTPServer
internal import Platform
internal import Postgres
internal import Store
internal import Transfers
internal import Worker

extension Serve {
    /// The parts that take new values of live settings.
    struct LiveParts: Sendable {
        /// The keys that encrypt secrets.
        let secrets: SecretBox
        /// The policy and conditions by which downloads are decided and explained.
        let facts: FactsInForce
        let clock: DatabaseClock
        /// Makes the request handlers for new settings.
        let handlers: @Sendable (AllowedDestinations) -> Handlers
    }

    /// Reads the settings again and applies the live ones; applies none if one of them is wrong.
    func reload(_ parts: Parts, _ pools: Pools, _ handler: ServerHandler) async {
        guard let source else { return }
        do {
            let values = try source.read()
            let fresh = try Configuration(values)
            try Preflight.check(fresh)
            guard let keys = try EncryptionKeys.read(configuration.takingLive(of: fresh)) else {
                throw ConfigurationError("LULL_ENCRYPTION_KEY_FILE: the files have no key")
            }
            let (taken, waiting) = live.take(fresh, values)
            liveLog.follow(configuration)
            await parts.server.observe(from: configuration.observedStatus)
            parts.live.secrets.take(keys)
            try await renew(parts, pools, handler)
            log.info("settings read again", [("changed", .string(taken.joined(separator: ",")))])
            for name in waiting {
                log.warn("a changed setting needs a restart", [("setting", .string(name))])
            }
        } catch {
            log.error(
                "the new settings are not valid, so the old ones stay in force",
                [("error", .string("\(error)"))])
        }
    }

    /// Passes destinations, authorities, limits and rates to the parts that keep them.
    private func renew(_ parts: Parts, _ pools: Pools, _ handler: ServerHandler) async throws {
        let destinations = try await allowedDestinations(pools)
        await parts.engine.renew(
            destinations.downloads, proxies: destinations.proxies,
            certificateFile: configuration.certificateFile)
        await parts.webhookEngine.renew(
            destinations.webhooks, proxies: nil, certificateFile: configuration.certificateFile)
        await parts.uploadEngine.renew(
            destinations.uploads, proxies: nil, certificateFile: configuration.certificateFile)
        try await renewStores(parts)
        handler.open(parts.live.handlers(destinations))
        let (facts, clock) = (parts.live.facts, parts.live.clock)
        let stored = try await Policies(pool: pools.reads).documents()
        let (policy, zone) = try read(stored)
        if facts.reread(policy, zone, version: stored.version, at: clock.now) {
            parts.worker.replacePolicy(policy, zone)
        }
    }
}

extension Configuration {
    /// The lowest status of an answer that the access log contains.
    var observedStatus: Int { self.logLevel == .debug ? 200 : 400 }
}
