// The brake that stops the network while the disk is behind.
import Platform
import Testing
import Transfers

@testable import Worker

@Suite struct BodyIntakeTests {
    private func take(
        _ intake: BodyIntake, _ bytes: [UInt8]
    ) -> (answer: TransferSink.Answer, drains: BodyIntake.Demand) {
        unsafe bytes.withUnsafeBytes { unsafe intake.take($0) }
    }

    private static let half = [UInt8](repeating: 7, count: BodyIntake.blockBytes / 2)

    @Test func gathersBlocks() {
        let intake = BodyIntake()
        intake.start(at: 100)
        #expect(take(intake, BodyIntakeTests.half) == (.taken, .none))
        #expect(intake.nextBlock(flush: false) == nil)
        #expect(take(intake, BodyIntakeTests.half) == (.taken, .now))
        #expect(take(intake, [1, 2, 3]) == (.taken, .none))
        #expect(intake.nextBlock(flush: false)?.count == BodyIntake.blockBytes)
        #expect(intake.nextBlock(flush: false) == nil)
        #expect(intake.nextBlock(flush: true)?.array == [1, 2, 3])
        #expect(intake.nextBlock(flush: true) == nil)
        #expect(intake.position == (100, Int64(BodyIntake.blockBytes + 3)))
    }

    @Test func startsOneDrainAtATime() {
        let intake = BodyIntake()
        let block = BodyIntakeTests.half + BodyIntakeTests.half
        #expect(take(intake, block).drains == .now)
        #expect(take(intake, block).drains == .none, "that drain is still under way")
        while intake.nextBlock(flush: false) != nil {}
        #expect(take(intake, block).drains == .now)
    }

    @Test func pausesWhenTheDiskIsBehind() throws {
        let intake = BodyIntake()
        let block = BodyIntakeTests.half + BodyIntakeTests.half
        var taken = 0
        while take(intake, block).answer == .taken { taken += 1 }
        #expect(taken == 3)
        #expect(take(intake, [1]).answer == .pause, "nothing of it was taken")
        #expect(intake.position.taken == Int64(3 * block.count))
        let first = try #require(intake.nextBlock(flush: false))
        let goesOn = intake.recycle(first)
        #expect(goesOn, "the transfer was paused")
        let second = try #require(intake.nextBlock(flush: false))
        let goesOnAgain = intake.recycle(second)
        #expect(!goesOnAgain)
        #expect(take(intake, [1]).answer == .taken)
    }

    @Test func refusalIsFinal() {
        let intake = BodyIntake()
        intake.refuse("full")
        intake.refuse("again")
        #expect(take(intake, [1]) == (.abort(reason: "full"), .none))
    }

    @Test func restartResetsTheCount() {
        let intake = BodyIntake()
        _ = take(intake, BodyIntakeTests.half)
        intake.start(at: 0)
        #expect(intake.position == (0, 0))
        #expect(intake.nextBlock(flush: true) == nil)
    }
}
