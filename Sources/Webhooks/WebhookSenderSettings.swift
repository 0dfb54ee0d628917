package import Downloads
internal import Platform
internal import Store
internal import Transfers

/// The settings of a webhook sender.
package struct WebhookSenderSettings: Sendable {
    /// The waits between attempts.
    package var schedule: DeliverySchedule
    /// The rule by which an endpoint is disabled.
    package var disabling: DisableRule
    /// The time for one attempt, connection included.
    package var timeout: Duration
    /// The most concurrent attempts at one receiver.
    package var each: Int
    /// The most concurrent attempts in all.
    package var total: Int
    /// The interval at which the outbox is read without a hint, with other replicas or after a
    /// failure.
    package var pollInterval: Duration
    /// The interval at which the outbox is read without a hint, without other replicas.
    package var lonelyPollInterval: Duration
    /// The interval at which the deliveries that the store has as claimed are compared with those
    /// in progress.
    package var compareInterval: Duration

    /// Creates settings.
    package init(
        schedule: DeliverySchedule = .standard, disabling: DisableRule = .standard,
        timeout: Duration = .seconds(15), each: Int = 16,
        total: Int = 256, pollInterval: Duration = .seconds(1),
        lonelyPollInterval: Duration = .seconds(60),
        compareInterval: Duration = .seconds(10)
    ) {
        self.schedule = schedule
        self.disabling = disabling
        self.timeout = timeout
        self.each = each
        self.total = total
        self.pollInterval = pollInterval
        self.lonelyPollInterval = lonelyPollInterval
        self.compareInterval = compareInterval
    }
}
