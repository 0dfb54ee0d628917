package import Core
internal import Crypto
internal import HTTPWire
internal import Store

/// The worker, as the API uses it.
package struct WorkerAccess: Sendable {
    /// The policy in force and the rules of its time zone.
    package var policyInForce: @Sendable () -> (Policy, TimeZoneRules)
    /// What is known of conditions.
    package var conditions: @Sendable () -> ConditionBook
    /// What the world did so far.
    package var learned: @Sendable () -> LearnedFacts = { LearnedFacts() }
    /// What was true in the last days; nil where it is not kept.
    package var history: @Sendable () -> FactsHistory? = { nil }
    /// That the network of this machine is not reached; nil while it is.
    package var network: @Sendable () -> Outage? = { nil }
    /// Whether an origin, by its number, is not asked at an instant, as this replica saw it last.
    package var isHeldBack: @Sendable (Int64, Timestamp) -> Bool = { _, _ in false }
    /// How wide ranges of forecasts have to be.
    package var calibration: @Sendable () -> ForecastCalibration = { ForecastCalibration() }
    /// What is known of budgets at an instant.
    package var budgets: @Sendable (Timestamp) -> BudgetBook
    /// What is measured here at an instant; nil where nothing is.
    package var ownReadings: @Sendable (Timestamp) -> ReplicaReadings? = { _ in nil }
    /// What the other replicas measure.
    package var otherReadings: @Sendable () -> [ReplicaReadings] = { [] }
    /// A condition was pushed, or removed where it is nil; with the version that has it.
    package var conditionPushed: @Sendable (String, ConditionPush?, _ version: Int64) -> Void
    /// Whether the service is about to stop.
    package var isDraining: @Sendable () -> Bool
    /// The volume of this replica's content, nil before it was looked at.
    package var disk: @Sendable () -> DiskReading?
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
        policyInForce: @escaping @Sendable () -> (Policy, TimeZoneRules),
        conditions: @escaping @Sendable () -> ConditionBook,
        budgets: @escaping @Sendable (Timestamp) -> BudgetBook = { _ in BudgetBook() },
        conditionPushed:
            @escaping @Sendable (String, ConditionPush?, _ version: Int64) -> Void,
        isDraining: @escaping @Sendable () -> Bool,
        disk: @escaping @Sendable () -> DiskReading? = { nil },
        hint: @escaping @Sendable () -> Void,
        expect: @escaping @Sendable (Timestamp) -> Void = { _ in },
        deadlineSet: @escaping @Sendable () -> Void = {},
        delivered: @escaping @Sendable () -> Void,
        orderPlaced: @escaping @Sendable (Identifier, RunOrder) -> Void,
        policyChanged: @escaping @Sendable (Policy, TimeZoneRules, _ version: Int64) -> Void,
        rateChanged: @escaping @Sendable (RateChange) -> Void = { _ in }
    ) {
        self.policyInForce = policyInForce
        self.conditions = conditions
        self.budgets = budgets
        self.conditionPushed = conditionPushed
        self.isDraining = isDraining
        self.disk = disk
        self.hint = hint
        self.expect = expect
        self.deadlineSet = deadlineSet
        self.delivered = delivered
        self.orderPlaced = orderPlaced
        self.policyChanged = policyChanged
        self.rateChanged = rateChanged
    }
}

extension WorkerAccess {
    /// All facts at an instant, as the conductor has them.
    func situation(at now: Timestamp) -> Situation {
        let (policy, zone) = policyInForce()
        var situation = Situation(
            now: now, policy: policy, zone: zone, isDraining: isDraining(), disk: disk(),
            conditions: conditions(), learned: learned(), budgets: budgets(now))
        situation.others = otherReadings()
        situation.network = network()
        return situation
    }
}
