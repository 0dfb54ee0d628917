package import Core
internal import Crypto
internal import HTTPWire
internal import Store

/// The worker, as the API uses it.
package struct WorkerAccess: Sendable {
    /// All facts at an instant, as the conductor has them.
    package var situation: @Sendable (Timestamp) -> Situation
    /// What was true in the last days; nil where it is not kept.
    package var history: @Sendable () -> FactsHistory? = { nil }
    /// Whether an origin, by its number, is not asked for an app, by its number, at an instant, as
    /// this replica saw it last.
    package var isHeldBack: @Sendable (Int64, Int64, Timestamp) -> Bool = { _, _, _ in false }
    /// How wide ranges of forecasts have to be.
    package var calibration: @Sendable () -> ForecastCalibration = { ForecastCalibration() }
    /// The shares that each flow has got here so far, from which a forecast goes on.
    package var shares: @Sendable () async -> FairShares = { FairShares() }
    /// What is measured here at an instant; nil where nothing is.
    package var ownReadings: @Sendable (Timestamp) -> ReplicaReadings? = { _ in nil }
    /// A condition was pushed, or removed where it is nil; with the version that has it.
    package var conditionPushed: @Sendable (String, ConditionPush?, _ version: Int64) -> Void
    /// Whether the service is about to stop.
    package var isDraining: @Sendable () -> Bool
    /// Something may have become due.
    package var hint: @Sendable () -> Void
    /// Something is due at an instant: a download may begin then, or its time is over.
    package var expect: @Sendable (Timestamp) -> Void
    /// A deadline was set or moved.
    package var deadlineSet: @Sendable () -> Void
    /// A webhook was written to the outbox.
    package var delivered: @Sendable () -> Void
    /// Something has happened that sessions may have to be woken for.
    package var sessionsChanged: @Sendable () -> Void = {}
    /// A download may have stopped bringing bytes for others.
    package var flightsChanged: @Sendable () -> Void = {}
    /// A running download is to stop.
    package var orderPlaced: @Sendable (Identifier, RunOrder) -> Void
    /// Another policy is in force; with its version, as two changes may arrive out of order.
    package var policyChanged: @Sendable (Policy, TimeZoneRules, _ version: Int64) -> Void
    /// Another limit holds for a session or a download.
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
