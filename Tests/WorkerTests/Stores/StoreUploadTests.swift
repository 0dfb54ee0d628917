// The requests that bring a file into a store, and what follows from each answer.
import Downloads
import ObjectStores
import Testing

@testable import Worker

@Suite struct StoreUploadTests {
    private static let digest = String(repeating: "ab", count: 32)
    private static let upload = UploadName(key: "p/a.bin", id: "u1")

    private static func terms(
        _ onConflict: FileConflict = .fail, length: Int64 = 5, isNamed: Bool = true,
        ignoring: Bool = false
    ) -> StoreUpload.Terms {
        StoreUpload.Terms(
            path: "a.bin", isNamedByClient: isNamed, onConflict: onConflict, download: "dl_1",
            length: length, sha256: digest, ignoresConditions: ignoring,
            key: { $0.utf8.count > 20 ? nil : "p/" + $0 })
    }

    private static func object(
        of download: String? = "dl_2", sha256: String? = nil, length: Int64? = 5
    ) -> ObjectFacts {
        var facts = ObjectFacts(tag: "\"t\"")
        (facts.download, facts.sha256, facts.length) = (download, sha256, length)
        return facts
    }

    private static func lost(_ kind: StoreFailure.Kind) -> StoreFailure { StoreFailure(kind, "x") }

    private static let large: Int64 = PartPlan.singleAtMost + 1

    @Test func aSmallFileIsOneRequestThatReplacesNothing() {
        var machine = StoreUpload(Self.terms(length: PartPlan.singleAtMost))
        #expect(machine.begin() == .put("p/a.bin", .absent))
        #expect(
            machine.wrote(ObjectFacts(tag: "\"n\""))
                == .end(.stored(path: "a.bin", tag: "\"n\"")))
    }

    @Test func aLargeFileIsAnUploadInParts() {
        var machine = StoreUpload(Self.terms(length: Self.large))
        #expect(machine.begin() == .head("p/a.bin"))
        #expect(machine.headed(nil) == .begin("p/a.bin", .absent))
        #expect(machine.began(Self.upload) == .send(Self.upload))
        #expect(machine.sentParts() == .complete(Self.upload, .absent))
        #expect(machine.wrote(ObjectFacts(tag: nil)) == .end(.stored(path: "a.bin", tag: nil)))
    }

    @Test func aLargeFileIsNotSentToATakenName() {
        var machine = StoreUpload(Self.terms(length: Self.large))
        _ = machine.begin()
        #expect(machine.headed(Self.object()) == .end(.taken(path: "a.bin")))
    }

    @Test(arguments: [StoreFailure.Kind.conflict, .unknown])
    func anObjectOfThisDownloadWithItsBytesIsTheEnd(_ kind: StoreFailure.Kind) {
        var machine = StoreUpload(Self.terms())
        _ = machine.begin()
        #expect(machine.failed(Self.lost(kind)) == .head("p/a.bin"))
        #expect(
            machine.headed(Self.object(of: "dl_1", sha256: Self.digest))
                == .end(.stored(path: "a.bin", tag: "\"t\"")))
    }

    @Test func existenceAloneProvesNothing() {
        for facts in [
            Self.object(of: nil), Self.object(of: "dl_2", sha256: Self.digest),
            Self.object(of: nil, sha256: Self.digest),
        ] {
            var machine = StoreUpload(Self.terms())
            _ = machine.begin()
            _ = machine.failed(Self.lost(.conflict))
            #expect(machine.headed(facts) == .end(.taken(path: "a.bin")))
        }
    }

    @Test func anObjectOfThisDownloadWithOtherBytesIsReplaced() {
        for facts in [
            Self.object(of: "dl_1", sha256: "00"),
            Self.object(of: "dl_1", sha256: Self.digest, length: 4),
        ] {
            var machine = StoreUpload(Self.terms())
            _ = machine.begin()
            _ = machine.failed(Self.lost(.conflict))
            #expect(machine.headed(facts) == .put("p/a.bin", .unchanged(tag: "\"t\"")))
        }
    }

    @Test func aWriteWithoutAnAnswerIsRepeatedByALaterTry() {
        for facts in [nil, Self.object()] {
            var machine = StoreUpload(Self.terms())
            _ = machine.begin()
            _ = machine.failed(Self.lost(.unknown))
            #expect(machine.headed(facts) == .end(.failed(Self.lost(.unknown))))
        }
    }

    @Test func replaceNamesTheObjectThatItHasSeen() {
        var machine = StoreUpload(Self.terms(.replace))
        #expect(machine.begin() == .head("p/a.bin"))
        #expect(machine.headed(Self.object()) == .put("p/a.bin", .unchanged(tag: "\"t\"")))
        #expect(machine.failed(Self.lost(.conflict)) == .head("p/a.bin"))
        #expect(machine.headed(nil) == .put("p/a.bin", .absent))
    }

    @Test func replacingEndsWhenOthersKeepWriting() {
        var machine = StoreUpload(Self.terms(.replace))
        var action = machine.begin()
        for _ in 0..<20 {
            switch action {
            case .head: action = machine.headed(Self.object())
            case .put: action = machine.failed(Self.lost(.conflict))
            default: break
            }
        }
        guard case .end(.failed(let failure)) = action else {
            Issue.record("\(action)")
            return
        }
        #expect(failure.kind == .again)
    }

    @Test func aNameThatTheClientDidNotChooseReplacesNothing() {
        var machine = StoreUpload(Self.terms(.replace, isNamed: false))
        #expect(machine.begin() == .put("p/a.bin", .absent))
        _ = machine.failed(Self.lost(.conflict))
        #expect(machine.headed(Self.object()) == .put("p/a (1).bin", .absent))
    }

    @Test func renameTakesTheNextFreeName() {
        var machine = StoreUpload(Self.terms(.rename))
        #expect(machine.begin() == .put("p/a.bin", .absent))
        #expect(machine.failed(Self.lost(.conflict)) == .head("p/a.bin"))
        #expect(machine.headed(Self.object()) == .put("p/a (1).bin", .absent))
        #expect(machine.failed(Self.lost(.conflict)) == .head("p/a (1).bin"))
        #expect(machine.headed(Self.object()) == .put("p/a (2).bin", .absent))
        #expect(
            machine.wrote(ObjectFacts(tag: nil)) == .end(.stored(path: "a (2).bin", tag: nil)))
    }

    @Test func aLargeFileAbortsItsUploadBeforeTheNextName() {
        var machine = StoreUpload(Self.terms(.rename, length: Self.large))
        _ = machine.begin()
        _ = machine.headed(nil)
        _ = machine.began(Self.upload)
        _ = machine.sentParts()
        #expect(machine.failed(Self.lost(.conflict)) == .head("p/a.bin"))
        #expect(machine.headed(Self.object()) == .abort(Self.upload))
        #expect(machine.aborted() == .head("p/a (1).bin"))
        #expect(machine.headed(nil) == .begin("p/a (1).bin", .absent))
    }

    @Test func renamingIsBounded() {
        var machine = StoreUpload(Self.terms(.rename))
        var (action, writes) = (machine.begin(), 0)
        for _ in 0..<1000 {
            switch action {
            case .head: action = machine.headed(Self.object())
            case .put:
                writes += 1
                action = machine.failed(Self.lost(.conflict))
            default: break
            }
        }
        #expect(action == .end(.taken(path: "a.bin")) && writes == 101)
    }

    @Test func replaceIfSameLeavesAnEqualObject() {
        var machine = StoreUpload(Self.terms(.replaceIfSame))
        #expect(machine.begin() == .head("p/a.bin"))
        #expect(
            machine.headed(Self.object(sha256: Self.digest))
                == .end(.stored(path: "a.bin", tag: "\"t\"")))
        machine = StoreUpload(Self.terms(.replaceIfSame))
        _ = machine.begin()
        #expect(machine.headed(Self.object(sha256: "00")) == .end(.taken(path: "a.bin")))
    }

    @Test func anUploadIsContinuedWithItsCondition() {
        var machine = StoreUpload(Self.terms(.replace, length: Self.large))
        #expect(
            machine.begin(continuing: Self.upload, at: "a.bin", replacing: "\"old\"")
                == .list(Self.upload))
        #expect(machine.listed() == .send(Self.upload))
        #expect(machine.sentParts() == .complete(Self.upload, .unchanged(tag: "\"old\"")))
    }

    @Test func anUploadThatIsGoneMayHaveBecomeTheObject() {
        var machine = StoreUpload(Self.terms(length: Self.large))
        _ = machine.begin(continuing: Self.upload, at: "a.bin")
        #expect(machine.failed(Self.lost(.noUpload)) == .head("p/a.bin"))
        var again = machine
        #expect(
            machine.headed(
                Self.object(of: "dl_1", sha256: Self.digest, length: Self.large))
                == .end(.stored(path: "a.bin", tag: "\"t\"")))
        #expect(again.headed(nil) == .begin("p/a.bin", .absent))
    }

    @Test(arguments: [StoreFailure.Kind.again, .refused, .missing, .cancelled])
    func otherFailuresEndTheTry(_ kind: StoreFailure.Kind) {
        var machine = StoreUpload(Self.terms())
        _ = machine.begin()
        #expect(machine.failed(Self.lost(kind)) == .end(.failed(Self.lost(kind))))
    }

    @Test func damagedBytesAreAnEndOfTheirOwn() {
        var machine = StoreUpload(Self.terms())
        _ = machine.begin()
        #expect(machine.failed(Self.lost(.damaged)) == .end(.damaged(Self.lost(.damaged))))
    }

    @Test func aStoreThatIgnoresConditionsIsGivenNone() {
        var machine = StoreUpload(Self.terms(.replace, ignoring: true))
        #expect(machine.begin() == .head("p/a.bin"))
        #expect(machine.headed(Self.object()) == .put("p/a.bin", .always))
    }

    @Test func aPathWithoutAKeyIsNotWritten() {
        var terms = Self.terms()
        terms.path = String(repeating: "x", count: 30)
        var machine = StoreUpload(terms)
        #expect(machine.begin() == .end(.taken(path: terms.path)))
    }
}

@Suite struct PartPlanTests {
    @Test(
        arguments: [
            (16_777_217, 8_388_608, 3), (83_886_080, 8_388_608, 10), (83_886_081, 8_388_608, 11),
            (83_886_080_000, 8_388_608, 10_000), (83_886_080_001, 9_437_184, 8889),
            (5_497_558_138_880, 550_502_400, 9987),
        ] as [(Int64, Int64, Int)])
    func aFileHasAtMostTenThousandParts(_ length: Int64, _ part: Int64, _ count: Int) {
        let plan = PartPlan(length: length)
        #expect(plan.partBytes == part && plan.count == count)
        #expect(plan.range(of: 1) == 0..<part && plan.range(of: count)?.upperBound == length)
        #expect(plan.range(of: count + 1) == nil && plan.range(of: 0) == nil)
    }

    @Test func partsCoverTheFile() {
        let plan = PartPlan(length: 100, partBytes: 30)
        let ranges = (1...plan.count).compactMap { plan.range(of: $0) }
        #expect(ranges == [0..<30, 30..<60, 60..<90, 90..<100])
    }
}
