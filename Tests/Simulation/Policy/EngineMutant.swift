/// A fault that is put between the world and the engine, so that a test shows that the properties
/// see it: the engine then decides by other facts than those that hold.
package enum EngineMutant: String, CaseIterable, Sendable {
    // What it reads of the policy.
    case ignoresTheFirstRule, ignoresTheLastRule, ignoresMatches, takesHardForSoft
    case takesSoftForHard, ignoresNegations, ignoresHolds, ignoresReleases, ignoresDefaults
    case ignoresTheZone, ignoresTheEndsOfWindows, ignoresBandwidthOfZero, ignoresNewPolicies
    // What it learns of conditions.
    case ignoresPushes, ignoresRemovals, ignoresExpiry, ignoresSchedules, learnsOfPushesLate
    case takesOneConditionForAnother
    // What it reads of lanes.
    case ignoresClasses, ignoresRanks, ignoresSessions, ignoresOrigins, ignoresAges
    case takesPushbackForLonger
    // What it takes for the limits.
    case countsOneMoreOfEachOrigin, countsOneMoreOfEachSession, countsOneMoreOfAll
    // What it reads of budgets and deadlines.
    case takesBudgetsForSpent, ignoresSettlements, countsBudgetsTwice, ignoresDeadlines
    // When it wakes.
    case wakesLate, ignoresHints, ignoresEnds
}
