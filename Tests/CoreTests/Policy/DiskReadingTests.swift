// Room on the disk: the downloads that may begin, and the explanation that the others show.
import Base
import Downloads
import Scheduling
import Testing

@Suite struct DiskReadingTests {
    private static let mebi: Int64 = 1 << 20
    private static let gibi: Int64 = 1 << 30
    private static let tebi: Int64 = 1 << 40

    private static let start = Timestamp(seconds: 1_800_000_000)

    private static let reserves: [(total: Int64, reserve: Int64)] = [
        (0, 0), (16 * mebi, 16 * mebi / 10), (10 * gibi, gibi), (20 * gibi, gibi),
        (100 * gibi, 5 * gibi), (10 * tebi, 50 * gibi), (.max, 50 * gibi),
    ]

    @Test(arguments: reserves)
    func standardReserve(_ total: Int64, _ reserve: Int64) {
        #expect(DiskReading.standardReserve(total: total) == reserve)
    }

    @Test func roomIsFreeSpaceMinusReserveAndPromises() {
        var disk = DiskReading(free: 100, total: 1000, reserve: 30, promised: 20)
        #expect(disk.room == 50)
        #expect(disk.admits(50) && disk.admits(0) && !disk.admits(51))
        #expect(disk.shortfall == 0)
        disk.promise(50)
        #expect(disk.room == 0 && !disk.admits(0))
        #expect(disk.shortfall == 1)
        disk.promise(20)
        #expect(disk.shortfall == 21)
        disk.promise(.max)
        #expect(disk.room == 0)
        #expect(disk.shortfall > 0)
        disk = DiskReading(free: 100, total: 1000, reserve: .max, promised: 20)
        #expect(disk.room == 0)
        disk = DiskReading(free: 100, total: 1000, reserve: 0, trouble: "fsync: I/O error")
        #expect(!disk.admits(0))
    }

    @Test func diskBlockerNamesTheMissingBytes() {
        let disk = DiskReading(
            free: 3 * Self.gibi, total: 20 * Self.gibi, reserve: Self.gibi,
            promised: 512 * Self.mebi)
        #expect(
            disk.sentence(need: 4 * Self.gibi)
                == "the volume has 3.3 GB free, of which 1.1 GB stay free and 536.9 MB are "
                + "promised to running downloads; it needs 4.3 GB, so 2.7 GB are missing")
        #expect(disk.sentence(need: 20 * Self.gibi).contains("more than the volume can hold"))
        #expect(disk.sentence(need: .max).contains("more than the volume can hold"))
        let full = DiskReading(free: 0, total: 100, reserve: 10)
        #expect(full.sentence(need: 0).hasSuffix("11 B are missing"))
    }

    private static func candidate(
        need: Int64, ranOutOfRoom: Bool = false, runAt: Timestamp = start
    ) -> AdmissionCandidate {
        AdmissionCandidate(
            isDiscretionary: false, session: "default", createdAt: start, waitingSince: start,
            runAt: runAt, attempt: ranOutOfRoom ? 1 : 0, origin: GateReading(),
            sessionGate: GateReading(), need: need,
            lastFailure: ranOutOfRoom ? DownloadFailure.noRoom.code : nil)
    }

    private static func codes(
        _ candidate: AdmissionCandidate, _ disk: DiskReading?
    ) -> [BlockerCode] {
        let situation = Situation(
            now: start, policy: Policy(limits: ConductorTests.limits), zone: .utc, disk: disk)
        return Admission.blockers(candidate, in: situation).map(\.code)
    }

    @Test func diskReserveIsListedAmongTheBlockers() {
        let disk = DiskReading(free: 100, total: 1000, reserve: 0)
        #expect(Self.codes(Self.candidate(need: 101), disk) == [.diskReserve])
        #expect(Self.codes(Self.candidate(need: 100), disk) == [.slots])
        #expect(Self.codes(Self.candidate(need: 101), nil) == [.slots])
        // The next attempt has its time because of the disk: that is told, once.
        let soon = Self.start + .seconds(9)
        let later = Self.candidate(need: 100, ranOutOfRoom: true, runAt: soon)
        #expect(Self.codes(later, disk) == [.diskReserve])
        #expect(
            Self.codes(Self.candidate(need: 101, ranOutOfRoom: true, runAt: soon), disk)
                == [.diskReserve])
    }

    @Test func nothingIsClaimedBelowTheReserve() {
        var conductor = ConductorTests.conductor()
        let full = DiskReading(free: 10, total: 1000, reserve: 10)
        _ = conductor.handle(.diskRead(full), at: Self.start)
        let heads = [ConductorTests.head(1)]
        let held = conductor.handle(.lanesLoaded(LanePage(heads: heads)), at: Self.start)
        #expect(ConductorTests.lanes(held) == nil)
        let room = DiskReading(free: 110, total: 1000, reserve: 10)
        let claim = conductor.handle(.diskRead(room), at: Self.start)
        #expect(ConductorTests.lanes(claim) == [1])
        #expect(conductor.disk?.room == 100)
        let run = ClaimedRun(id: ConductorTests.id(1), fence: 10, need: 70)
        _ = conductor.handle(.claimed([run]), at: Self.start)
        #expect(conductor.disk?.room == 30)
    }
}
