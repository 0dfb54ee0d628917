// The judgement that files which are not found are lost: worlds of files that come and go.
import Base
import Downloads
import Testing

@Suite struct MissingFilesTests {
    private static let grace = Duration.seconds(60)

    private static func file(_ number: Int) -> MissingFiles.File {
        MissingFiles.File(id: Identifier(high: 1, low: UInt64(number)), fence: 1)
    }

    /// A data directory whose files come and go, and a judge that looks at it as the worker does.
    private struct World {
        var files: [MissingFiles.Presence]
        /// The true time since which a file has been missing without a break.
        var missingSince: [Duration?]
        var lost: Set<Int> = []
        var missing = MissingFiles(grace: grace)
        var now = Duration.zero
        var random: SeededRandom
        var looked = false

        init(_ count: Int, seed: UInt64) {
            files = Array(repeating: .there, count: count)
            missingSince = Array(repeating: nil, count: count)
            random = SeededRandom(seed: seed)
        }

        mutating func set(_ number: Int, _ presence: MissingFiles.Presence) {
            if files[number] != presence { missingSince[number] = presence == .missing ? now : nil }
            files[number] = presence
        }

        private mutating func look() {
            let began = now
            now += .milliseconds(Int.random(in: 0...3000, using: &random))
            let found = files.indices.filter { files[$0] != .there && !lost.contains($0) }
            missing.take(
                found.map { (MissingFilesTests.file($0), files[$0]) },
                of: Int64(files.count - lost.count), began: began, at: now)
            looked = true
        }

        /// One turn of the duty; checks the files that are called lost.
        mutating func turn() {
            if !looked { look() }
            for known in missing.files {
                missing.note(known, files[Int(known.id.low)], at: now)
            }
            for _ in 0..<3 {
                switch missing.verdict(at: now) {
                case .whole, .waits, .held: return
                case .needsLook: look()
                case .lost(let list):
                    let gone = files.indices.filter { files[$0] != .there && !lost.contains($0) }
                    #expect(
                        gone.count <= 2 || gone.count * 100 <= files.count,
                        "\(gone.count) of \(files.count) are missing")
                    for item in list {
                        let number = Int(item.id.low)
                        #expect(files[number] == .missing)
                        let since = missingSince[number] ?? now
                        #expect(now - since >= MissingFilesTests.grace, "\(now) \(since)")
                        lost.insert(number)
                    }
                    missing.removeLost(list, at: now)
                }
            }
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func nothingIsLostBeforeItsMinuteNorAmongMany(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let count = [3, 10, 50, 400].randomElement(using: &random) ?? 3
        var world = World(count, seed: seed)
        for _ in 0..<400 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                let number = Int.random(in: 0..<count, using: &random)
                world.set(number, .missing)
            case 1:
                // The volume goes.
                let what: MissingFiles.Presence =
                    Bool.random(using: &random) ? .missing : .unreadable
                for number in 0..<count { world.set(number, what) }
            case 2, 3: for number in 0..<count { world.set(number, .there) }
            case 4: world.set(Int.random(in: 0..<count, using: &random), .unreadable)
            default: break
            }
            // A reader misses one file.
            let read = Int.random(in: 0..<count, using: &random)
            if world.files[read] != .there, !world.lost.contains(read) {
                world.missing.note(Self.file(read), world.files[read], at: world.now)
            }
            world.turn()
            world.now += .seconds(Int.random(in: 1...20, using: &random))
        }
    }

    @Test func aSingleFileIsLostAfterItsMinute() {
        var world = World(1000, seed: 1)
        world.turn()
        world.set(7, .missing)
        world.missing.note(Self.file(7), .missing, at: world.now)
        for _ in 0..<5 {
            world.turn()
            #expect(world.lost.isEmpty)
            world.now += .seconds(10)
        }
        for _ in 0..<3 {
            world.turn()
            world.now += .seconds(10)
        }
        #expect(world.lost == [7])
    }

    /// Two files, and one in a hundred, are single files; three, and more than that, are many.
    @Test(arguments: [
        (2, 2, false), (3, 3, true), (3, 299, true), (3, 300, false), (10, 1000, false),
        (11, 1000, true),
    ])
    func manyAreMoreThanOneInAHundredAndAtLeastThree(_ gone: Int, _ of: Int, _ isHeld: Bool) {
        var world = World(of, seed: 2)
        for number in 0..<gone { world.set(number, .missing) }
        for _ in 0..<20 {
            world.turn()
            world.now += .seconds(10)
        }
        #expect(world.lost.count == (isHeld ? 0 : gone))
        let verdict = world.missing.verdict(at: world.now)
        #expect((verdict == .held(missing: Int64(gone), of: Int64(of))) == isHeld)
        for number in 0..<gone { world.set(number, .there) }
        world.turn()
        #expect(world.missing.verdict(at: world.now) == .whole)
    }

    @Test func whatCannotBeReadIsNeverLost() {
        var world = World(1000, seed: 3)
        world.set(1, .unreadable)
        for _ in 0..<30 {
            world.turn()
            world.now += .seconds(10)
        }
        #expect(world.lost.isEmpty && world.missing.count == 1)
        // The time in which the directory could not be read does not count.
        world.set(1, .missing)
        world.turn()
        #expect(world.lost.isEmpty)
    }

    @Test func moreThanAreRememberedByNameAreHeld() {
        var missing = MissingFiles(grace: Self.grace)
        let count = MissingFiles.namedAtMost + 10
        let all = (0..<count).map { (file: Self.file($0), presence: MissingFiles.Presence.missing) }
        missing.take(all, of: Int64(count), began: .zero, at: .zero)
        #expect(missing.count == Int64(count) && missing.files.count == MissingFiles.namedAtMost)
        #expect(
            missing.verdict(at: .seconds(1000)) == .held(missing: Int64(count), of: Int64(count)))
        missing.take([], of: Int64(count), began: .seconds(1), at: .seconds(1))
        #expect(missing.verdict(at: .seconds(1000)) == .whole)
    }
}
