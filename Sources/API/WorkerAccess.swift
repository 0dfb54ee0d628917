package import Base
internal import Crypto
package import Downloads
internal import HTTPWire
package import Scheduling
internal import Store

/// The functions of the worker that the API uses.
package struct WorkerAccess: Sendable {
    /// All facts at an instant, as the conductor has them.
    package var situation: @Sendable (Timestamp) -> Situation
    /// The facts of the last days; nil if they are not kept.
    package var history: @Sendable () -> FactsHistory? = { nil }
    /// Whether requests to an origin, by its number, are held back for an app, by its number, at an
    /// instant, as this replica saw it last.
    package var isHeldBack: @Sendable (Int64, Int64, Timestamp) -> Bool = { _, _, _ in false }
    /// The corrections of forecasts.
    package var calibration: @Sendable () -> ForecastCalibration = { ForecastCalibration() }
    /// The share of each flow here so far, with which a forecast begins.
    package var shares: @Sendable () async -> FairShares = { FairShares() }
    /// The measurements of this replica at an instant; nil for none.
    package var ownReadings: @Sendable (Timestamp) -> ReplicaReadings? = { _ in nil }
    /// Notes a pushed condition, or nil for its removal, with the version that has it.
    package var conditionPushed: @Sendable (String, ConditionPush?, _ version: Int64) -> Void
    /// Whether the service is about to stop.
    package var isDraining: @Sendable () -> Bool
    /// Notes that a download may be due.
    package var hint: @Sendable () -> Void
    /// Notes that a download is due at an instant, or its deadline is.
    package var expect: @Sendable (Timestamp) -> Void
    /// Notes that a deadline was set or moved.
    package var deadlineSet: @Sendable () -> Void
    /// Notes that a webhook was written to the outbox.
    package var delivered: @Sendable () -> Void
    /// Notes an event for which sessions may have to be woken.
    package var sessionsChanged: @Sendable () -> Void = {}
    /// Notes that a source was put, changed or asked to look.
    package var looksChanged: @Sendable () -> Void = {}
    /// Notes that a session ends with its client from now on.
    package var clientsChanged: @Sendable () -> Void = {}
    /// Notes that a leader may have ended, so that its followers have to continue.
    package var flightsChanged: @Sendable () -> Void = {}
    /// Orders a running download to stop.
    package var orderPlaced: @Sendable (Identifier, RunOrder) -> Void
    /// Puts another policy in force; with its version, because two changes may arrive out of order.
    package var policyChanged: @Sendable (Policy, TimeZoneRules, _ version: Int64) -> Void
    /// Changes the rate limit of a session or a download.
    package var rateChanged: @Sendable (RateChange) -> Void

    /// Sets all members.
    package init(
        situation: @escaping @Sendable (Timestamp) -> Situation,
        conditionPushed:
            @escaping @Sendable (String, ConditionPush?, _ version: Int64) -> Void,
        isDraining: @escaping @Sendable () -> Bool,
        hint: @escaping @Sendable () -> Void,
        expect: @escaping @Sendable (Timestamp) -> Void = { _ in },
        deadlineSet: @escaping @Sendable () -> Void = {},
        delivered: @escaping @Sendable () -> Void,
        orderPlaced: @escaping @Sendable (Identifier, RunOrder) -> Void,
        policyChanged: @escaping @Sendable (Policy, TimeZoneRules, _ version: Int64) -> Void,
        rateChanged: @escaping @Sendable (RateChange) -> Void = { _ in }
    ) {
        self.situation = situation
        self.conditionPushed = conditionPushed
        self.isDraining = isDraining
        self.hint = hint
        self.expect = expect
        self.deadlineSet = deadlineSet
        self.delivered = delivered
        self.orderPlaced = orderPlaced
        self.policyChanged = policyChanged
        self.rateChanged = rateChanged
    }
}
