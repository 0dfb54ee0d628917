// Several addresses of one file, from attempt to attempt, on the machine alone.
import Base
import Downloads
import Testing

private let v1 = ModelVersion(1, length: 20 << 20)
private let v2 = ModelVersion(2, length: 20 << 20)
private let kept: Int64 = 10 << 20

@Suite struct AttemptMirrorTests {
    private func world(
        mirrors: Int, digest: Int? = 1,
        _ origin: @escaping (AttemptQuestion, Int, Int) -> ModelReply
    ) -> AttemptWorld {
        let shorter = ModelVersion(3, length: 19 << 20)
        let world = AttemptWorld([v1, v2, shorter], origin)
        world.mirrors = mirrors
        let byte = digest.map { UInt8($0 * 17) }
        world.change = { terms in
            guard let byte else { return }
            terms.expectedDigest = ExpectedDigest(
                .sha256, bytes: Array(repeating: byte, count: 32))
        }
        return world
    }

    /// The offset at which each question began; nil without a Range.
    private func run(_ world: AttemptWorld) -> [Int64?] {
        world.run()
        #expect(world.faults.isEmpty)
        return world.questions.map(\.start)
    }

    @Test func nextMirrorIsAskedAtOnceAndContinues() {
        var asked: [Int] = []
        let world = world(mirrors: 2) { question, _, mirror in
            asked.append(mirror)
            if mirror == 0 { return .whole(v1, cut: kept) }
            let other = v1.with(etag: "\"mirror\"")
            return question.start.map { .part(other, from: $0) } ?? .whole(other)
        }
        #expect(run(world) == [nil, kept])
        #expect(asked == [0, 1])
        #expect(world.state == .succeeded && world.tally.resumedFrom == kept)
        #expect(world.questions.last?.ifRange == nil, "another mirror knows no ETag of the first")
    }

    @Test func everyMirrorIsAskedOnceInARound() {
        var asked: [Int] = []
        let world = world(mirrors: 3) { _, _, mirror in
            asked.append(mirror)
            return .status(404)
        }
        _ = run(world)
        #expect(asked == [0, 1, 2] && world.state == .failed)
        #expect(world.failures.last??.code == .resourceUnavailable)
    }

    @Test func mirrorWithAnotherLengthIsPassedOverForManyBytes() {
        let shorter = ModelVersion(3, length: 19 << 20)
        var asked: [Int] = []
        let world = world(mirrors: 3) { question, _, mirror in
            asked.append(mirror)
            switch mirror {
            case 0: return .whole(v1, cut: kept)
            case 1: return question.start.map { .part(shorter, from: $0) } ?? .whole(shorter)
            default: return .part(v1, from: question.start ?? 0)
            }
        }
        #expect(run(world) == [nil, kept, kept])
        #expect(asked == [0, 1, 2] && world.state == .succeeded)
        #expect(world.file?.versions(before: .max) == [1])
    }

    /// Bytes of two versions make a wrong digest: then one mirror is asked for the whole file.
    @Test func mixedBytesAreFetchedFromOneMirror() {
        var asked: [Int] = []
        let world = world(mirrors: 2) { question, number, mirror in
            asked.append(mirror)
            if number == 0 { return .whole(v2, cut: kept) }
            let mine = mirror == 0 ? v2 : v1
            return question.start.map { .part(mine, from: $0) } ?? .whole(mine)
        }
        #expect(run(world) == [nil, kept, nil])
        #expect(asked == [0, 1, 1] && world.state == .succeeded)
        #expect(world.failures.map { $0?.code } == [.networkConnectionLost, .digestMismatch, nil])
        #expect(world.file?.versions(before: .max) == [1])
    }

    @Test func requestsOfItsOwnFaultStayAtTheMirror() {
        var asked: [Int] = []
        let world = world(mirrors: 2, digest: nil) { _, _, mirror in
            asked.append(mirror)
            return .whole(v1)
        }
        let change = world.change
        world.change = {
            change(&$0)
            $0.rules.maximumBytes = 5
        }
        _ = run(world)
        #expect(asked == [0] && world.state == .attentionRequired)
        #expect(world.row?.mirrors?.current == 0)
    }
}
