// The files that stay, and the time for which content is kept.
import Base
import Downloads
import Testing

@Suite struct FileOwnerTests {
    private static let old = FileOwner.unknownFileAge + .seconds(1)

    private static func isNeeded(
        _ owner: FileOwner, fence: Int64, isPart: Bool, age: Duration = old,
        acquaintance: Duration = old
    ) -> Bool {
        owner.needs(fence: fence, isPart: isPart, age: age, acquaintance: acquaintance)
    }

    /// A row's owner, a file's fence, and whether a part and a finished file of that fence stay.
    private static let table: [(FileOwner, Int64, part: Bool, whole: Bool)] = [
        // A download that runs, or whose file is being published.
        (.live(fence: 5, kept: nil), 5, true, true),
        (.live(fence: 5, kept: nil), 4, false, false),
        (.live(fence: 5, kept: 4), 4, true, false),
        (.live(fence: 5, kept: 4), 3, false, false),
        (.live(fence: 5, kept: nil), 6, true, true),
        // A whole file that an attempt renamed before the process ended.
        (.live(fence: 5, kept: 2, isWhole: true), 4, true, false),
        (.live(fence: 5, kept: 2, isWhole: true), 2, true, false),
        (.live(fence: 5, kept: 2, isWhole: true), 1, false, false),
        (.live(fence: 5, kept: nil, isWhole: true), 4, false, false),
        (.ended(content: 5), 5, false, true),
        (.ended(content: 5), 4, false, false),
        (.ended(content: 5), 6, false, false),
        (.ended(content: nil), 5, false, false),
        // A file that was called lost may be found again.
        (.lost(content: 5), 5, false, true),
        (.lost(content: 5), 4, false, false),
        (.unknown, 5, false, false),
    ]

    @Test func filesWithoutARowAreRemoved() {
        for (owner, fence, part, whole) in Self.table {
            #expect(Self.isNeeded(owner, fence: fence, isPart: true) == part, "\(owner) \(fence)")
            #expect(Self.isNeeded(owner, fence: fence, isPart: false) == whole, "\(owner) \(fence)")
        }
    }

    /// The dispositions of files that are not needed: of a part, and of a whole file.
    private static let dispositions:
        [(FileOwner, leavesNothing: Bool, part: FileDisposition, whole: FileDisposition)] =
            [
                (.live(fence: 5, kept: nil), false, .quarantine, .quarantine),
                (.ended(content: 5), false, .quarantine, .quarantine),
                (.ended(content: nil), false, .quarantine, .quarantine),
                (.lost(content: 5), false, .quarantine, .quarantine),
                (.unknown, false, .remove, .quarantine),
                (.live(fence: 5, kept: nil), true, .remove, .remove),
                (.ended(content: 5), true, .remove, .remove),
                (.ended(content: nil), true, .remove, .remove),
                (.lost(content: 5), true, .remove, .remove),
            ]

    @Test func onlyFilesThatSomebodyMayMissRestInTheQuarantine() {
        for (owner, leavesNothing, part, whole) in Self.dispositions {
            for (isPart, wanted) in [(true, part), (false, whole)] {
                let disposition = owner.disposition(
                    fence: 4, isPart: isPart, age: Self.old, acquaintance: Self.old,
                    leavesNothing: leavesNothing)
                #expect(disposition == wanted, "\(owner) \(leavesNothing) \(isPart)")
            }
        }
    }

    @Test func filesThatARowNamesStayAndAreTakenBack() {
        for (owner, fence, part, whole) in Self.table {
            for (isPart, isNeeded) in [(true, part), (false, whole)] {
                let disposition = owner.disposition(
                    fence: fence, isPart: isPart, age: Self.old, acquaintance: Self.old,
                    leavesNothing: false)
                #expect((disposition == .keep) == isNeeded, "\(owner) \(fence) \(isPart)")
                #expect(owner.wantsBack(fence: fence, isPart: isPart) == isNeeded)
            }
        }
        #expect(!FileOwner.unknown.wantsBack(fence: 5, isPart: false))
    }

    @Test func unknownFilesAreKeptForADay() {
        let young = FileOwner.unknownFileAge - .seconds(1)
        #expect(Self.isNeeded(.unknown, fence: 1, isPart: true, age: young))
        #expect(Self.isNeeded(.unknown, fence: 1, isPart: false, acquaintance: young))
        // The row says that the file is not needed: no time has to pass.
        #expect(!Self.isNeeded(.ended(content: nil), fence: 1, isPart: false, age: .zero))
    }

    @Test func contentIsKeptUntilItsExpiry() {
        let now = Timestamp(seconds: 1_800_000_000)
        let instance = Identifier(high: 1, low: 2)
        let week = KeptContent(instance: instance, length: 1, at: now, retention: 604_800)
        #expect(week.expiresAt == now + .seconds(604_800))
        #expect(week.warnAt == now + .seconds(604_800 - 60_480))
        let year = KeptContent(instance: instance, length: 1, at: now, retention: 31_536_000)
        #expect(year.expiresAt - year.warnAt == .seconds(86_400))
        #expect(KeptContent.lease(retention: nil) == .seconds(3600))
        #expect(KeptContent.lease(retention: 604_800) == .seconds(3600))
        #expect(KeptContent.lease(retention: 5) == .seconds(5))
    }

    @Test func contentWithoutStateIsHeld() {
        #expect(DownloadContent(stored: ["length": 1])?.state == .held)
        for state in ContentState.allCases {
            let content = DownloadContent(stored: ["state": .string(state.rawValue)])
            #expect(content?.state == state)
        }
    }
}
