package import Base
internal import Crypto
package import Downloads
internal import HTTPWire
package import Scheduling
internal import Store

/// The operator's settings for the API.
package struct APISettings: Sendable {
    /// The program's version.
    package var version: String
    /// The hosts and sites whose requests are answered.
    package var hosts: HostPolicy
    /// The web pages of other sites that may use the service.
    package var origins = AllowedOrigins.none
    /// The URL at which clients reach the service; nil if it is not known.
    package var publicURL: PublicURL?
    /// The allowed sources of downloads.
    package var destinations: Destinations
    /// The allowed receivers of webhooks.
    package var webhookDestinations: Destinations
    /// The allowed receivers of finished files.
    package var uploadDestinations: Destinations
    /// The default values where neither download nor session sets one.
    package var defaults: DeploymentDefaults
    /// The limits where the policy sets none.
    package var limits: PolicyLimits
    /// The rates of the deployment if the policy has none.
    package var bandwidth: Timetable?
    /// The app of requests without a key.
    package var app: Int64
    /// The shared secret of webhook URLs of apps without one of their own; nil if each app gets
    /// one.
    package var webhookSecret: EndpointSecret?
    /// Whether `GET /metrics` needs a key with the scope `admin`, if keys are needed at all.
    package var metricsNeedKey = false
    /// Whether there is a page for people in a browser, below `/ui/`.
    package var showsPage = true
    /// The settings of wakes.
    package var wakes = WakeSettings.standard
    /// The time for which a replaced secret signs beside the new one.
    package var webhookSecretOverlap = Duration.seconds(86_400)
    /// The folders for finished files.
    package var folders = AllowedPlaces.none
    /// The allowed proxies of downloads; nil for no proxies.
    package var proxyDestinations: Destinations?
    /// Whether the operator has a server for mail to people.
    package var sendsMail = false
    /// The least interval between two looks of a source, in seconds.
    package var sourceMinInterval: Int64 = 30

    /// Sets all members.
    package init(
        version: String, hosts: HostPolicy, destinations: Destinations,
        webhookDestinations: Destinations, uploadDestinations: Destinations,
        defaults: DeploymentDefaults, limits: PolicyLimits, app: Int64
    ) {
        self.version = version
        self.hosts = hosts
        self.destinations = destinations
        self.webhookDestinations = webhookDestinations
        self.uploadDestinations = uploadDestinations
        self.defaults = defaults
        self.limits = limits
        self.app = app
    }
}
