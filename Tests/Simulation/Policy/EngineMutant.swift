/// A fault between the world and the engine, which the properties have to detect: the engine
/// decides by facts that differ from the true ones.
package enum EngineMutant: String, CaseIterable, Sendable {
    // Faults in reading the policy.
    case ignoresTheFirstRule, ignoresTheLastRule, ignoresMatches, takesHardForSoft
    case takesSoftForHard, ignoresNegations, ignoresHolds, ignoresReleases, ignoresDefaults
    case ignoresTheZone, ignoresTheEndsOfWindows, ignoresBandwidthOfZero, ignoresNewPolicies
    // Faults in learning conditions.
    case ignoresPushes, ignoresRemovals, ignoresExpiry, ignoresSchedules, learnsOfPushesLate
    case takesOneConditionForAnother
    // Faults in reading lanes.
    case ignoresClasses, ignoresRanks, ignoresSessions, ignoresOrigins, ignoresAges
    case takesPushbackForLonger
    // Faults in reading limits.
    case countsOneMoreOfEachOrigin, countsOneMoreOfEachSession, countsOneMoreOfAll
    // Faults in reading budgets and deadlines.
    case takesBudgetsForSpent, ignoresSettlements, countsBudgetsTwice, ignoresDeadlines
    // Faults in waking.
    case wakesLate, ignoresHints, ignoresEnds
}
