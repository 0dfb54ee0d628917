// The properties of the engine that hold for all rules, downloads and clocks.
import Simulation

/// A property of the engine, which the world of each seed may break.
package enum PolicyProperty: String, CaseIterable, Sendable {
    // The engine over lanes: `EngineWorld`.
    case theEngineDoesWhatTheVerdictSays
    case twoWeeksLaterTheOrderIsTheSame, underOtherNamesTheOrderIsTheSame
    case withRulesReversedTheOrderIsTheSame, onTwoReplicasTheRulesHold
    case onTwoReplicasTheOrderIsTheSame
    // The conductor beside a store that answers late, wrongly or never: `DiceReplica`.
    case theConductorNeverStallsNorRunsADownloadTwice
    // Flows that compete: `FairWorld`.
    case aNewcomerBeginsWithinTwoRoundsOfItsLevel
    // The index against the verdict: `IndexWorld`.
    case indexAndVerdictAreEqual
    // The verdict alone: `VerdictWorld`.
    case blockersBeginBeforeNowAndEndAfterIt, untilIsTheFirstInstantThatIsOpen
    case oneMoreRuleNeverOpens, theOrderOfRulesMeansNothing, softIsOpenWhereHardIs
    case noDeadlineIsMissedWithoutASign, aWeekLaterEverythingIsAWeekLater
    // Waits in the past: `BlockedWorld`.
    case everyInstantCountsForTheFirstCodeOfTheVerdict
    // Conditions with announced values: `ConditionWorld`.
    case statesDoNotDependOnHowOftenTheyAreAsked
    // Deadlines that share a bottleneck: `ContentionWorld`.
    case whatIsKeptFits, onlyAnOverloadTakesOut, guardsLeaveTimeForAllThatIsDueLater
    case rulingsMoveWithTheClock

    /// Searches the world of a seed for a violation.
    ///
    /// - Throws: where a world makes a policy that cannot be read.
    package func check(seed: UInt64) throws -> PropertyCheck {
        switch self {
        case .theEngineDoesWhatTheVerdictSays: try Self.engine(seed)
        case .twoWeeksLaterTheOrderIsTheSame:
            try Self.order(seed, EngineVariant(shift: .seconds(14 * 86_400)))
        case .underOtherNamesTheOrderIsTheSame:
            try Self.order(seed, EngineVariant(prefix: "x-"))
        case .withRulesReversedTheOrderIsTheSame:
            try Self.order(seed, EngineVariant(isReversed: true))
        case .onTwoReplicasTheRulesHold: try Self.split(seed)
        case .onTwoReplicasTheOrderIsTheSame: try Self.splitOrder(seed)
        case .theConductorNeverStallsNorRunsADownloadTwice:
            try DiceReplica.check(seed: seed).check
        case .aNewcomerBeginsWithinTwoRoundsOfItsLevel: try Self.fairness(seed)
        case .indexAndVerdictAreEqual: try IndexWorld.check(seed: seed)
        case .blockersBeginBeforeNowAndEndAfterIt:
            try Self.verdict(seed) { try $0.checkBlockers(&$2) }
        case .untilIsTheFirstInstantThatIsOpen:
            try Self.verdict(seed) { try $0.checkOpening(&$1, &$2) }
        case .oneMoreRuleNeverOpens:
            try Self.verdict(seed) { try $0.checkOneRuleLess(&$1, &$2) }
        case .theOrderOfRulesMeansNothing:
            try Self.verdict(seed) { try $0.checkShuffled(&$1, &$2) }
        case .softIsOpenWhereHardIs: try Self.verdict(seed) { try $0.checkSoft(&$2) }
        case .noDeadlineIsMissedWithoutASign:
            try Self.verdict(seed) { try $0.checkDeadline(&$1, &$2) }
        case .aWeekLaterEverythingIsAWeekLater:
            try Self.verdict(seed) { try $0.checkWeekLater(&$2) }
        case .everyInstantCountsForTheFirstCodeOfTheVerdict: try BlockedWorld.check(seed: seed)
        case .statesDoNotDependOnHowOftenTheyAreAsked: try ConditionWorld.check(seed: seed)
        case .whatIsKeptFits: try Self.contention(seed) { $0.checkKept(&$1) }
        case .onlyAnOverloadTakesOut: try Self.contention(seed) { $0.checkOverload(&$1) }
        case .guardsLeaveTimeForAllThatIsDueLater:
            try Self.contention(seed) { $0.checkGuards(&$1) }
        case .rulingsMoveWithTheClock: try Self.contention(seed) { $0.checkWeekLater(&$1) }
        }
    }

    private static func contention(
        _ seed: UInt64, _ body: (ContentionWorld, inout PropertyCheck) -> Void
    ) throws -> PropertyCheck {
        var check = PropertyCheck()
        body(try ContentionWorld(seed: seed), &check)
        return check
    }

    /// Whether an engine with a fault violates a rule in the world of a seed.
    ///
    /// - Throws: where a world makes a policy that cannot be read.
    package static func catches(_ mutant: EngineMutant, seed: UInt64) throws -> Bool {
        try EngineWorld.run(seed: seed, mutant: mutant).violation != nil
    }

    /// Whether an engine with a fault in its shares, or in its knowledge of lanes, breaks a promise
    /// in the world of a seed.
    ///
    /// - Throws: where a world makes a policy that cannot be read.
    package static func catches(_ mutant: FairMutant, seed: UInt64) throws -> Bool {
        try FairWorld.run(seed: seed, mutant: mutant).violation != nil
    }

    private static func fairness(_ seed: UInt64) throws -> PropertyCheck {
        var check = PropertyCheck()
        let world = try FairWorld.run(seed: seed)
        check.count(world.checked)
        check.expect(world.violation == nil, world.violation ?? "")
        return check
    }

    /// Checks that no download begins that the verdict holds back, no slot stays free while a lane
    /// is open, no budget is exceeded, and there are never more runs than slots.
    private static func engine(_ seed: UInt64) throws -> PropertyCheck {
        var check = PropertyCheck()
        let world = try EngineWorld.run(seed: seed)
        check.count(world.trace.count)
        check.expect(world.violation == nil, world.violation ?? "")
        return check
    }

    /// Checks that changed clocks, names or positions of rules do not change the begins.
    private static func order(_ seed: UInt64, _ variant: EngineVariant) throws -> PropertyCheck {
        var check = PropertyCheck()
        let plain = try EngineWorld.run(seed: seed, steps: 25)
        let other = try EngineWorld.run(seed: seed, steps: 25, variant: variant)
        check.count(plain.trace.count)
        check.expect(plain.trace == other.trace, "\(plain.trace) and \(other.trace)")
        return check
    }

    /// Checks that two replicas with half of the slots each keep the rules.
    private static func split(_ seed: UInt64) throws -> PropertyCheck {
        var check = PropertyCheck()
        let world = try EngineWorld.run(seed: seed, variant: EngineVariant(replicas: 2))
        check.count(world.trace.count)
        check.expect(world.violation == nil, world.violation ?? "")
        return check
    }

    /// Checks that two replicas with half of the slots each begin the same downloads at the same
    /// instants.
    ///
    /// It holds where classes, ranks and dates decide. Shares are computed by each replica: for
    /// them only bounds hold.
    private static func splitOrder(_ seed: UInt64) throws -> PropertyCheck {
        var check = PropertyCheck()
        let orders = try [1, 2].map { replicas in
            try EngineWorld.run(
                seed: seed, steps: 25,
                variant: EngineVariant(replicas: replicas, isOneFlow: true)
            ).begins
        }
        check.count(orders[0].count)
        check.expect(orders[0] == orders[1], "\(orders[0]) and \(orders[1])")
        return check
    }

    private static func verdict(
        _ seed: UInt64,
        _ body: (inout VerdictWorld, inout SeededRandom, inout PropertyCheck) throws -> Void
    ) throws -> PropertyCheck {
        var random = SeededRandom(seed: seed)
        var world = VerdictWorld(&random)
        var check = PropertyCheck()
        try body(&world, &random, &check)
        return check
    }
}
