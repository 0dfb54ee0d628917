package import Core
internal import Crypto
internal import HTTPWire
internal import Store

/// What the operator configured, as far as the API obeys it.
package struct APISettings: Sendable {
    /// The program's version.
    package var version: String
    /// The hosts and sites that are answered.
    package var hosts: HostPolicy
    /// Where downloads may come from.
    package var destinations: Destinations
    /// Where webhooks may go.
    package var webhookDestinations: Destinations
    /// The values for what neither download nor session sets.
    package var defaults: DeploymentDefaults
    /// The limits for what the policy does not set.
    package var limits: PolicyLimits
    /// The rates of the deployment where the policy has none.
    package var bandwidth: Timetable?
    /// The app that owns what is made without a key.
    package var app: Int64
    /// The secret of the webhook URLs of apps without one of their own; nil where each gets one.
    package var webhookSecret: EndpointSecret?
    /// Whether `GET /metrics` needs a key with the scope `admin`, where keys are needed at all.
    package var metricsNeedKey = false
    /// The numbers of wakes.
    package var wakes = WakeSettings.standard
    /// How long a secret that was replaced signs beside the new one.
    package var webhookSecretOverlap = Duration.seconds(86_400)
    /// Into which finished files may be placed.
    package var folders = AllowedFolders.none
    /// Where proxies of downloads may be; nil for no proxies.
    package var proxyDestinations: Destinations?

    /// Sets all members.
    package init(
        version: String, hosts: HostPolicy, destinations: Destinations,
        webhookDestinations: Destinations, defaults: DeploymentDefaults, limits: PolicyLimits,
        app: Int64
    ) {
        self.version = version
        self.hosts = hosts
        self.destinations = destinations
        self.webhookDestinations = webhookDestinations
        self.defaults = defaults
        self.limits = limits
        self.app = app
    }
}
