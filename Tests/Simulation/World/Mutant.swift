/// A fault that is put into the model of the store or into a replica's shell, so that a test shows
/// that the invariants see it.
package enum Mutant: String, CaseIterable, Sendable {
    // Statements.
    case claimTakesWhatRuns, claimTakesTooEarly, claimKeepsTheFence, claimIgnoresTheOrigin
    case claimIgnoresTheSession, claimIgnoresTheApp, claimIgnoresTheDeployment
    case claimIgnoresTheLease, claimForgetsTheGate, claimTakesMoreThanAsked
    case finishIgnoresTheFence, finishForgetsTheGate, finishCountsTwice, finishWakesNoLane
    case releaseForgetsTheGate, releaseWakesNoLane, releaseEndsIt
    case reapTakesLivingReplicas, reapTakesNobody, registerKeepsOldRuns, lateRegistrationHolds
    case claimIgnoresTheRoom
    case createWakesNoLane, createWakesTooLate, settleRaisesTooFar, lookForgetsTheRest
    case unknownRunsAreJudgedLate
    case cancelForgetsWhatWaits, cancelIsNotPassedOn, resumeWakesNoLane
    // Outages.
    case missIsNotNoted, missCostsAnAttempt, claimIgnoresOutages, probeKeepsItsTime
    case pausesDoNotGrow, reachIsNotNoted, stoppedProbeBlocks
    // Shells.
    case probeStopIsNotSaid
    case lostClaimIsForgotten, heartbeatRenewsLate, watchIsAsleep, lostLeaseRunsOn
    case pollIsForever
    // Disks.
    case failedSyncIsIgnored, failingDiskIsUsed, promisesAreForgotten, diskIsReadOnce
    case sweepTakesContent, claimUsesAnOldReading, fullDiskIsClaimedFor

    /// Those that only few worlds show: scripts/simulate has enough of them.
    package static let rare: Set<Mutant> = [
        .claimIgnoresTheLease, .heartbeatRenewsLate, .lateRegistrationHolds,
        .claimUsesAnOldReading, .reapTakesNobody, .cancelIsNotPassedOn, .pollIsForever,
        .claimIgnoresTheApp, .fullDiskIsClaimedFor, .promisesAreForgotten, .claimIgnoresTheRoom,
        .claimTakesTooEarly, .finishIgnoresTheFence, .settleRaisesTooFar,
        .claimIgnoresTheDeployment, .registerKeepsOldRuns, .stoppedProbeBlocks,
        .probeStopIsNotSaid,
    ]
}
