// The times at which the database's clock may end something: clocks that jump, processes that begin
// in a jump.
import Base
import Testing

@Suite struct ClockSteadinessTests {
    private static let start = Timestamp(seconds: 1_800_000_000)
    private static let steadyFor = Duration.seconds(600)

    /// A database's clock, and processes on machines that see it.
    private struct World {
        var real = Duration.seconds(1000)
        var offset = Duration.zero
        var record: ClockRecord?
        /// The last time at which the clock was moved by more than a process tolerates, in real
        /// time.
        var movedAt: Duration?

        var now: Timestamp { ClockSteadinessTests.start + real + offset }

        mutating func move(to offset: Duration) {
            let change = offset - self.offset
            self.offset = offset
            if ClockSteadiness.isJump(change) { movedAt = real }
        }

        func process(_ boot: String, record: ClockRecord?) -> ClockSteadiness {
            ClockSteadiness(
                steadyFor: ClockSteadinessTests.steadyFor, now: now, bootTime: real, boot: boot,
                record: record)
        }
    }

    /// A process reads the clock every ten seconds, notes it each minute and at a jump, and is
    /// replaced now and then: it never lets anything end before the clock was steady.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func nothingEndsByAClockThatJumpedLately(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var world = World()
        var process = world.process("a", record: nil)
        world.record = process.record(boot: "a")
        var boot = "a"
        var notedAt = world.real
        for _ in 0..<1500 {
            world.real += .seconds(Int.random(in: 5...15, using: &random))
            switch Int.random(in: 0..<60, using: &random) {
            case 0:
                let hours = [-400, -30, -2, 0, 2, 240, 9000].randomElement(using: &random) ?? 0
                world.move(to: .seconds(hours * 3600))
            case 1:
                // The process is killed; the next one begins some time later, after a restart of
                // the machine or without one.
                world.real += .seconds(Int.random(in: 0...7200, using: &random))
                if Bool.random(using: &random) { boot += "b" }
                process = world.process(boot, record: world.record)
            default: break
            }
            let hasJumped = process.note(world.now, bootTime: world.real)
            if hasJumped || world.real - notedAt >= .seconds(60) {
                world.record = process.record(boot: boot)
                notedAt = world.real
            }
            if process.isSteady(bootTime: world.real), let movedAt = world.movedAt {
                #expect(world.real - movedAt >= Self.steadyFor, "\(seed): \(world.real - movedAt)")
            }
        }
    }

    @Test func aSteadyClockIsNeverHeld() {
        var world = World()
        var process = world.process("a", record: nil)
        for step in 0..<5000 {
            world.real += .seconds(10)
            // The clock drifts by 200 parts in a million, and is corrected by a second.
            world.offset += .microseconds(2000) + (step % 50 == 0 ? .seconds(1) : .zero)
            #expect(process.note(world.now, bootTime: world.real) == false)
            #expect(process.isSteady(bootTime: world.real))
            if step % 500 == 0 {
                process = world.process("a", record: process.record(boot: "a"))
                #expect(process.isSteady(bootTime: world.real))
            }
        }
        // The service rests for a week on a machine that goes on.
        let record = process.record(boot: "a")
        world.real += .seconds(604_800)
        #expect(world.process("a", record: record).isSteady(bootTime: world.real))
        // After a restart of the machine nothing says that the week has passed.
        var other = world.process("b", record: record)
        #expect(!other.isSteady(bootTime: world.real))
        world.real += Self.steadyFor
        other.note(world.now, bootTime: world.real)
        #expect(other.isSteady(bootTime: world.real))
    }

    /// Movements that are small one by one add up to a jump.
    @Test func manySmallStepsAreAJump() {
        var world = World()
        var process = world.process("a", record: nil)
        var jumps = 0
        for _ in 0..<10 {
            world.real += .seconds(10)
            world.offset += .seconds(1800)
            if process.note(world.now, bootTime: world.real) { jumps += 1 }
        }
        #expect(jumps >= 3 && !process.isSteady(bootTime: world.real))
    }

    @Test(arguments: [(3601, true), (3599, false), (-3599, false), (-3601, true)])
    func anHourIsTolerated(_ seconds: Int, _ isJump: Bool) {
        var world = World()
        var process = world.process("a", record: nil)
        world.offset = .seconds(seconds)
        #expect(process.note(world.now, bootTime: world.real) == isJump)
        #expect(process.isSteady(bootTime: world.real) == !isJump)
        #expect(process.isSteady(bootTime: world.real + Self.steadyFor))
    }
}
