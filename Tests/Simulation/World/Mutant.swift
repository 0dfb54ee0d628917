/// A fault in the model of the store or in a replica's shell, which the invariants have to detect.
package enum Mutant: String, CaseIterable, Sendable {
    // Faults of statements.
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
    // Faults about outages.
    case missIsNotNoted, missCostsAnAttempt, claimIgnoresOutages, probeKeepsItsTime
    case pausesDoNotGrow, reachIsNotNoted, stoppedProbeBlocks
    // Faults of shells.
    case probeStopIsNotSaid
    case lostClaimIsForgotten, heartbeatRenewsLate, watchIsAsleep, lostLeaseRunsOn
    case pollIsForever
    // Faults about disks.
    case failedSyncIsIgnored, failingDiskIsUsed, promisesAreForgotten, diskIsReadOnce
    case sweepTakesContent, claimUsesAnOldReading, fullDiskIsClaimedFor

    /// The mutants that only few worlds detect: scripts/simulate runs enough worlds.
    package static let rare: Set<Mutant> = [
        .claimIgnoresTheLease, .heartbeatRenewsLate, .lateRegistrationHolds,
        .claimUsesAnOldReading, .reapTakesNobody, .cancelIsNotPassedOn, .pollIsForever,
        .claimIgnoresTheApp, .fullDiskIsClaimedFor, .promisesAreForgotten, .claimIgnoresTheRoom,
        .claimTakesTooEarly, .finishIgnoresTheFence, .settleRaisesTooFar,
        .claimIgnoresTheDeployment, .registerKeepsOldRuns, .stoppedProbeBlocks,
        .probeStopIsNotSaid,
    ]
}
