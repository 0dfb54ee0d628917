// Several streams and several mirrors, on the machine alone.
import Base
import Downloads
import Testing

private let now = AttemptWorld.start
private let large = ModelVersion(1, length: 128 << 20)

@Suite struct AttemptStreamTests {
    private static func machine(
        _ change: (inout AttemptTerms) -> Void = { _ in }
    ) -> AttemptMachine {
        var terms = AttemptTerms(address: "http://a.test/", fence: 1, instance: "here")
        terms.streams = 4
        change(&terms)
        var machine = AttemptMachine(terms)
        _ = machine.begin()
        _ = machine.prepared(.ready(isRepeatable: true))
        return machine
    }

    private static func head(_ change: (inout ResponseFacts) -> Void = { _ in }) -> ResponseFacts {
        var facts = ModelReply.whole(large).facts ?? ResponseFacts(status: 200, url: "")
        facts.acceptsByteRanges = true
        change(&facts)
        return facts
    }

    private func offer(
        _ machine: AttemptMachine = machine(), _ facts: ResponseFacts = head()
    ) -> SegmentOffer? {
        var machine = machine
        guard case .take(let place) = machine.headArrived(facts, now: now) else { return nil }
        return place.segments
    }

    @Test func cutsALargeFileWithAStrongETagAndRanges() {
        #expect(offer() == SegmentOffer(etag: "\"v1\"", total: large.length, streams: 4))
    }

    @Test func cutsNothingElse() {
        #expect(offer(Self.machine(), Self.head { $0.etag = "W/\"v1\"" }) == nil)
        #expect(offer(Self.machine(), Self.head { $0.etag = nil }) == nil)
        #expect(offer(Self.machine(), Self.head { $0.acceptsByteRanges = false }) == nil)
        #expect(offer(Self.machine(), Self.head { $0.contentEncoding = "gzip" }) == nil)
        #expect(offer(Self.machine(), Self.head { $0.contentLength = (64 << 20) - 1 }) == nil)
        #expect(offer(Self.machine(), Self.head { $0.contentLength = nil }) == nil)
        #expect(offer(Self.machine { $0.streams = 1 }) == nil)
        #expect(offer(Self.machine { $0.method = .put }) == nil)
        #expect(offer(Self.machine { $0.resume = Self.missed }) == nil, "it was wrong before")
        var limited = Self.machine()
        limited.isLimited = true
        #expect(offer(limited) == nil)
        var stopped = Self.machine()
        stopped.ordered(.suspend)
        #expect(offer(stopped) == nil)
    }

    private static let missed = ResumePoint(mismatches: 1, fence: 0, instance: "here")

    /// An answer to a further stream that asked for bytes 1000 to 1999 of the file.
    private static func piece(_ change: (inout ResponseFacts) -> Void) -> ResponseFacts {
        var facts =
            ModelReply.part(large, from: 1000, to: 2000).facts ?? ResponseFacts(status: 0, url: "")
        change(&facts)
        return facts
    }

    private func verdict(_ facts: ResponseFacts) -> PieceVerdict? {
        var machine = Self.machine()
        guard case .take(let place) = machine.headArrived(Self.head(), now: now),
            let offer = place.segments
        else { return nil }
        return machine.pieceArrived(facts, from: 1000, of: offer, now: now)
    }

    @Test func onlyThePieceOfTheSameFileIsTaken() {
        #expect(verdict(Self.piece { _ in }) == .take(1000..<2000))
        #expect(verdict(Self.piece { $0.status = 503 }) == .refused)
        #expect(verdict(Self.piece { $0.status = 403 }) == .refused)
        let wrong: [(inout ResponseFacts) -> Void] = [
            { $0.status = 200 }, { $0.status = 416 }, { $0.etag = "\"v2\"" }, { $0.etag = nil },
            { $0.ambiguity = "x" }, { $0.contentEncoding = "gzip" }, { $0.contentRange = nil },
            { $0.contentRange = ContentRange("bytes 1000-1999/2000") },
            { $0.contentRange = ContentRange("bytes 999-1999/\(large.length)") },
            { $0.contentRange = ContentRange("bytes 1001-1999/\(large.length)") },
        ]
        for (number, change) in wrong.enumerated() {
            #expect(verdict(Self.piece(change)) == .other, "\(number)")
        }
    }

    @Test func contradictingPieceVoidsWhatFurtherStreamsBrought() {
        var machine = Self.machine()
        let bad = TransferEnd(
            .failed(DownloadFailure(.badServerResponse, detail: "")), facts: nil, bytes: 0)
        let lost = TransferEnd(
            .failed(DownloadFailure(.networkConnectionLost, detail: "")), facts: nil, bytes: 0)
        var full = lost
        full.body.trouble = .noRoom
        #expect(machine.pieceEnded(lost, .other) == .discardBeyondPrefix)
        #expect(machine.pieceEnded(bad, nil) == .discardBeyondPrefix)
        #expect(
            machine.pieceEnded(
                TransferEnd(
                    .oddRange(DownloadFailure(.badServerResponse, detail: "")), facts: nil, bytes: 0
                ),
                nil) == .discardBeyondPrefix)
        var long = TransferEnd(.refused, facts: nil, bytes: 0)
        long.body.isOverEnd = true
        #expect(machine.pieceEnded(long, .take(0..<5)) == .discardBeyondPrefix)
        #expect(machine.pieceEnded(lost, .refused) == .stop)
        #expect(machine.pieceEnded(full, .take(0..<5)) == .stop)
        #expect(machine.pieceEnded(lost, .take(0..<5)) == .goOn)
        #expect(machine.pieceEnded(lost, nil) == .goOn)
    }

    /// The first stream ends early: the rest is asked for from the first byte that no stream
    /// brought.
    @Test func restIsAskedForBehindTheFirstGap() {
        var machine = Self.machine()
        guard case .take = machine.headArrived(Self.head(), now: now) else { return }
        var end = TransferEnd(.refused, facts: Self.head(), bytes: 1000)
        end.body.hasStreams = true
        end.body.isCut = true
        #expect(machine.ended(end, now: now) == .gather)
        var body = BodyEnd()
        body.isCut = true
        #expect(machine.gathered(body, now: now) == .restart)
        var question: AttemptQuestion?
        if case .ask(let next) = machine.restarted(at: 5_000_000, now: now) { question = next }
        #expect(question?.start == 5_000_000 && question?.ifRange == "\"v1\"")
        #expect(machine.checkpointed(durable: 5_000_000, version: machine.version) != nil)
    }

    /// Every byte came, by whatever stream: then the end of the first stream does not matter.
    @Test(arguments: [true, false]) func completeFileIsVerified(_ isCancelled: Bool) {
        var machine = Self.machine()
        guard case .take = machine.headArrived(Self.head(), now: now) else { return }
        var end = TransferEnd(
            isCancelled ? .cancelled : .refused, facts: Self.head(), bytes: 1000)
        end.body.hasStreams = true
        #expect(machine.ended(end, now: now) == .gather)
        var body = BodyEnd()
        (body.isCut, body.isComplete) = (true, true)
        #expect(machine.gathered(body, now: now) == .complete([]))
        let file = WholeFile(length: large.length, sha256: large.digest)
        #expect(
            machine.completed(.success(file))
                == .report(
                    .complete(
                        VerifiedBody(
                            length: large.length, isLengthVerified: true, isDescribed: true))))
    }

    @Test func orderStopsTheStreams() {
        var machine = Self.machine()
        guard case .take = machine.headArrived(Self.head(), now: now) else { return }
        machine.ordered(.suspend)
        var end = TransferEnd(.cancelled, facts: Self.head(), bytes: 1000)
        end.body.hasStreams = true
        #expect(machine.ended(end, now: now) == .gather)
        var body = BodyEnd()
        body.isCut = true
        #expect(machine.gathered(body, now: now) == .keep)
        guard case .report(.stopped(.suspend, let kept)) = machine.kept(durable: 700) else {
            Issue.record("not stopped")
            return
        }
        #expect(kept?.offset == 700)
    }

    @Test func cancelByTheClientComesBeforeOurOrders() {
        var machine = Self.machine()
        machine.ordered(.release)
        machine.ordered(.suspend)
        #expect(machine.order == .release)
        machine.ordered(.cancel)
        #expect(machine.order == .cancel)
    }

    // MARK: - The disk

    @Test func fullDiskWaitsAndABrokenOneIsTriedAgain() {
        var end = TransferEnd(.refused, facts: Self.head(), bytes: 1000)
        end.body.trouble = .noRoom
        var machine = Self.machine()
        guard case .take = machine.headArrived(Self.head(), now: now) else { return }
        var other = machine
        #expect(machine.ended(end, now: now) == .retreat)
        #expect(machine.retreated(durable: 0) == .report(.outOfRoom(kept: nil)))
        end.body.trouble = .failed
        #expect(other.ended(end, now: now) == .discard)
        guard case .report(.failed(let failure, nil, nil)) = other.discarded() else { return }
        #expect(failure.code == .cannotWriteToFile && failure.isRetryable)
    }

    /// The row names the bytes that a checkpoint synced only if they did not become void meanwhile.
    @Test func checkpointOfVoidBytesIsForgotten() {
        var terms = AttemptTerms(address: "http://a.test/", fence: 2, instance: "here")
        var claims = RepresentationClaims()
        claims.validators.isKnown = true
        claims.validators.entityTag = "\"v1\""
        terms.resume = ResumePoint(
            offset: 4000, fence: 1, instance: "here", claims: claims, restarts: 0)
        var machine = AttemptMachine(terms)
        _ = machine.begin()
        #expect(
            machine.prepared(.ready(isRepeatable: true)) == .adopt(fence: 1, length: 4000))
        _ = machine.adopted(true)
        _ = machine.moved()
        let version = machine.version
        #expect(machine.checkpointed(durable: 4000, version: version)?.fence == 2)
        let facts = ModelReply.whole(AttemptCase.v2).facts ?? Self.head()
        guard case .take(let place) = machine.headArrived(facts, now: now) else { return }
        #expect(place.forgetsRow && place.isFresh)
        #expect(machine.checkpointed(durable: 4000, version: version) == nil)
    }
}
