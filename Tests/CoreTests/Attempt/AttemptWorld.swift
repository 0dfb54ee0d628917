// The shell, the part file, the row and the origin around one attempt's machine, in small steps.
import Base
import Downloads

/// One download and all its attempts.
final class AttemptWorld {
    /// The transfer that is under way.
    struct Transfer {
        var reply: ModelReply
        var place: BodyPlace?
        var hasHead = false
        var isHeld = false
        var sent: Int64 = 0
        var isRefused = false
        var isCancelled = false
        var isOverEnd = false
        var isOverBound = false
    }

    /// The attempt that runs.
    struct Running {
        var machine: AttemptMachine
        var action: AttemptAction
        var transfer: Transfer?
        /// The shell's place for the next byte, and whether an answer set it since the last write.
        var start: Int64 = 0
        var isMoved = false
        var next: Int64 = 0
        /// A checkpoint that is under way: the machine's version, and the place up to which it
        /// synced.
        var checkpoint: (version: Int, durable: Int64?)?
        var questions = 0
        /// The streams beside the first one; nil while there are none.
        var streams: ModelStreams?
    }

    static let start = Timestamp(seconds: 1_795_309_200)
    static let instance = "here"

    /// Answers a question, by its number in the download and by the mirror that is asked.
    let origin: (AttemptQuestion, _ number: Int, _ mirror: Int) -> ModelReply
    /// Answers a further stream.
    var pieceOrigin: (Range<Int64>, _ etag: FieldValue) -> ModelReply = { _, _ in
        .refused(.networkConnectionLost)
    }
    /// The rest of a piece is halved only if it is longer than this many bytes.
    var stealsAbove: Int64 = 300
    /// The versions by number.
    let versions: [Int: ModelVersion]
    /// Changes the terms that each attempt is given.
    var change: (inout AttemptTerms) -> Void = { _ in }
    var mirrors = 1
    var schedule = RetrySchedule(base: .seconds(10), cap: .seconds(100), maximumAttempts: 3)
    /// Whether the next write of the row fails.
    var failsRow: () -> Bool = { false }

    var now = AttemptWorld.start
    var running: Running?
    var file: ModelFile?
    var row: ResumePoint?
    /// Bytes that the row showed last, synced or not.
    var received: Int64 = 0
    var fence: Int64 = 0
    var attemptsWithoutProgress = 0
    var state = DownloadState.waiting
    var questions: [AttemptQuestion] = []
    var failures: [DownloadFailure?] = []
    var tally = ResumeTally()
    /// Whether the last attempt continued bytes or began anew; nil where nothing was here.
    var isContinued: Bool?
    /// The most questions in one attempt; more are a fault.
    var questionsAtMost = 64
    var ruling: AttemptRuling?
    var body: VerifiedBody?
    /// The violations of the rules that were seen.
    var faults: [String] = []
    /// The number of times that several streams brought a complete file, and that their bytes were
    /// void.
    var gathered = 0
    var voided = 0

    init(
        _ versions: [ModelVersion],
        _ origin: @escaping (AttemptQuestion, _ number: Int, _ mirror: Int) -> ModelReply
    ) {
        self.versions = Dictionary(uniqueKeysWithValues: versions.map { ($0.number, $0) })
        self.origin = origin
    }

    // MARK: - Attempts

    /// Claims the download.
    func claim() {
        fence += 1
        state = .running
        var terms = AttemptTerms(
            address: "http://origin.test/f", fence: fence, instance: AttemptWorld.instance)
        terms.resume = row
        terms.received = received
        terms.attemptsWithoutProgress = attemptsWithoutProgress
        if mirrors > 1 {
            terms.mirrors = row?.mirrors ?? MirrorBook(count: mirrors)
            terms.origins = (0..<mirrors).map { "http://mirror\($0).test:80" }
        }
        change(&terms)
        var machine = AttemptMachine(terms)
        let action = machine.begin()
        running = Running(machine: machine, action: action)
    }

    /// Runs attempts until the download waits for nothing.
    func run(attemptsAtMost: Int = 20) {
        for _ in 0..<attemptsAtMost where state == .waiting {
            claim()
            while running != nil { step() }
        }
    }

    /// Moves the attempt on by one step.
    ///
    /// - Parameter most: the most bytes that come in the step.
    func step(_ most: Int64 = .max) {
        guard var run = running else { return }
        now = now + .milliseconds(1)
        switch run.action {
        case .ask(let question): ask(question, &run, most)
        case .report(let outcome): return end(outcome, run)
        default: run.action = perform(run.action, &run)
        }
        running = run
        check()
    }

    private func perform(_ action: AttemptAction, _ run: inout Running) -> AttemptAction {
        switch action {
        case .prepare: return run.machine.prepared(.ready(isRepeatable: true))
        case .adopt(let fence, let length):
            let isThere = adopt(fence, length, &run)
            return run.machine.adopted(isThere)
        case .move(let point):
            if !failsRow() { row = point }
            return run.machine.moved()
        case .markSent: return run.machine.marked(true)
        case .gather: return gather(&run)
        case .restart:
            let place = file.map { _ in begin(&run) }
            (run.start, run.next) = (place ?? 0, place ?? 0)
            return run.machine.restarted(at: place, now: now)
        case .keep:
            let durable = sync(&run)
            return run.machine.kept(durable: durable)
        case .complete:
            _ = begin(&run)
            let length = file?.written ?? 0
            if file?.extents.contains(where: { $0.range.upperBound > length }) ?? false {
                faults.append("the file is longer than its content")
            }
            return run.machine.completed(
                .success(WholeFile(length: length, sha256: digest(length))))
        case .compare: return run.machine.compared(.success(nil))
        case .discard:
            file = nil
            return run.machine.discarded()
        case .retreat: return run.machine.retreated(durable: 0)
        case .ask, .report: return action
        }
    }

    private func adopt(_ fence: Int64, _ length: Int64, _ run: inout Running) -> Bool {
        guard var part = file, part.fence == fence, part.length >= length else { return false }
        part.fence = self.fence
        part.truncate(to: length)
        (part.written, part.durable, part.ahead) = (length, length, [])
        file = part
        (run.start, run.next) = (length, length)
        return true
    }

    // MARK: - The file

    /// Makes the file ready for the place of the next byte, as the writer does.
    @discardableResult func begin(_ run: inout Running) -> Int64 {
        var part = file ?? ModelFile(fence: fence)
        if part.fence != fence { part = ModelFile(fence: fence) }
        if run.isMoved {
            run.isMoved = false
            if run.start == 0 { part.ahead = [] }
            if run.start < part.written {
                if run.start == 0 { part.truncate(to: 0) }
                part.written = run.start
                part.durable = min(part.durable, run.start)
            }
            run.next = run.start
        }
        file = part
        return part.written
    }

    private func sync(_ run: inout Running) -> Int64 {
        guard file?.fence == fence else { return 0 }
        begin(&run)
        file?.sync()
        return file?.durable ?? 0
    }

    /// Writes bytes that came.
    ///
    /// - Parameters:
    ///   - range: the place where they are written.
    ///   - reply: the answer that brought them.
    ///   - sent: the number of bytes that the answer brought before.
    func write(_ range: Range<Int64>, of reply: ModelReply, after sent: Int64) {
        let isInPlace = reply.body.lowerBound + sent == range.lowerBound
        let version = isInPlace ? reply.version : ModelFile.garbage
        if let point = row, point.offset > range.lowerBound, point.fence == fence,
            point.void == nil, !matches(point, version)
        {
            faults.append("bytes of version \(version) are written over those of the row")
        }
        file?.put(range, version)
    }

    private func digest(_ length: Int64) -> String {
        let found = file?.versions(before: .max) ?? []
        guard found.count == 1, let number = found.first, versions[number]?.length == length else {
            return String(repeating: "f", count: 64)
        }
        return ModelVersion.digest(number)
    }

    // MARK: - Questions

    private func ask(_ question: AttemptQuestion, _ run: inout Running, _ most: Int64) {
        guard var transfer = run.transfer else {
            run.questions += 1
            questions.append(question)
            let reply = origin(
                question, questions.count - 1, run.machine.mirrors?.current ?? 0)
            run.transfer = Transfer(reply: reply, isCancelled: run.machine.order != nil)
            return
        }
        if transfer.isCancelled || transfer.reply.failure != nil || transfer.reply.facts == nil {
            return ended(transfer, &run)
        }
        guard transfer.hasHead else {
            head(&transfer, &run)
            run.transfer = transfer
            return
        }
        if transfer.isHeld {
            // The row is written while the body waits.
            if !failsRow() {
                row = run.machine.memory
                run.machine.rowForgotten()
                transfer.isHeld = false
            }
            run.transfer = transfer
            return
        }
        let end = transfer.reply.cut ?? Int64(transfer.reply.body.count)
        guard transfer.sent < end, !transfer.isRefused else { return ended(transfer, &run) }
        receive(min(most, end - transfer.sent), &transfer, &run)
        run.transfer = transfer
    }

    private func head(_ transfer: inout Transfer, _ run: inout Running) {
        transfer.hasHead = true
        guard let facts = transfer.reply.facts else { return }
        switch run.machine.headArrived(facts, now: now) {
        case .refuse: transfer.isRefused = true
        case .excerpt: break
        case .take(let place):
            if place.isFresh {
                run.streams?.forgetPlan()
                file?.ahead = []
            } else {
                run.streams?.plan?.resume(at: place.start)
            }
            if let offer = place.segments { run.streams = ModelStreams(offer) }
            transfer.place = place
            transfer.isHeld = place.forgetsRow
            (run.start, run.isMoved) = (place.start, true)
        }
    }

    private func receive(_ count: Int64, _ transfer: inout Transfer, _ run: inout Running) {
        guard let place = transfer.place else {
            transfer.sent += count
            return
        }
        let next = place.start + transfer.sent
        guard count <= (run.machine.terms.mostBytes ?? .max) - next else {
            (transfer.isOverBound, transfer.isRefused) = (true, true)
            return
        }
        guard count <= place.end - next else {
            (transfer.isOverEnd, transfer.isRefused) = (true, true)
            return
        }
        let room = run.streams?.plan?.room(of: SegmentPlan.first) ?? .max
        let taken = min(count, room)
        begin(&run)
        write(run.next..<(run.next + taken), of: transfer.reply, after: transfer.sent)
        run.next += taken
        run.streams?.plan?.advance(SegmentPlan.first, by: taken)
        transfer.sent += taken
        if taken < count { transfer.isRefused = true }
    }

    private func ended(_ transfer: Transfer, _ run: inout Running) {
        let reply = transfer.reply
        let isChunked = reply.facts?.isChunked ?? false
        let isCut = reply.cut != nil && (isChunked || transfer.sent < Int64(reply.body.count))
        let isDelimited = reply.facts?.contentLength != nil || reply.facts?.isChunked ?? false
        let outcome: TransferEnd.Outcome =
            if transfer.isCancelled {
                .cancelled
            } else if let code = reply.failure {
                reply.isOddRange
                    ? .oddRange(DownloadFailure(code, detail: code.sentence))
                    : .failed(DownloadFailure(code, detail: code.sentence))
            } else if transfer.isRefused {
                .refused
            } else if reply.facts == nil || isCut && isDelimited {
                .failed(
                    DownloadFailure(
                        .networkConnectionLost, detail: FailureCode.networkConnectionLost.sentence))
            } else {
                .completed(isLengthVerified: isDelimited)
            }
        var end = TransferEnd(outcome, facts: reply.facts, bytes: transfer.sent)
        end.redirects = reply.redirects
        end.told.retryAfter = reply.retryAfter
        end.body.isOverEnd = transfer.isOverEnd
        end.body.isOverBound = transfer.isOverBound
        if let streams = run.streams {
            end.body.hasStreams = !streams.isGathered
            end.body.isCut = streams.plan != nil
            end.body.isComplete = streams.plan?.isComplete ?? false
        }
        run.streams?.firstEnded()
        run.transfer = nil
        run.action = run.machine.ended(end, now: now)
    }

    // MARK: - Orders, checkpoints and crashes

    /// A client or this process stops the attempt.
    func order(_ order: RunOrder) {
        running?.machine.ordered(order)
        running?.transfer?.isCancelled = true
        running?.streams?.stop()
    }

    /// Does one of the three steps of a checkpoint; other events may come between them.
    func checkpointStep() {
        guard var run = running, !run.machine.isOver else { return }
        if let checkpoint = run.checkpoint {
            if let durable = checkpoint.durable {
                if let point = run.machine.checkpointed(
                    durable: durable, version: checkpoint.version)
                {
                    row = point
                    received = max(received, point.offset)
                }
                run.checkpoint = nil
            } else {
                let durable = sync(&run)
                run.checkpoint = (checkpoint.version, durable)
            }
        } else {
            run.checkpoint = (run.machine.version, nil)
        }
        running = run
        check()
    }

    /// The process ends at once; bytes that were not synced are lost from a place on.
    func crash(keeping share: Double) {
        received = max(received, file?.written ?? 0)
        running = nil
        state = .waiting
        guard var part = file else { return }
        let lost = Double(max(0, part.end - part.syncedEnd)) * (1 - share)
        part.truncate(to: part.end - Int64(lost))
        file = part
    }

    private func end(_ outcome: AttemptOutcome<VerifiedBody>, _ run: Running) {
        running = nil
        tally = run.machine.tally
        let hadBytes = run.machine.terms.resume?.offset ?? 0 > 0
        isContinued = hadBytes || tally.discarded > 0 ? hadBytes && !tally.isRestarted : nil
        var machine = run.machine
        failures.append(nil)
        switch outcome {
        case .complete(let body):
            self.body = body
            state = .succeeded
            checkContent(body)
            row = nil
        case .unchanged:
            state = .succeeded
            (row, file) = (nil, nil)
        case .failed(let failure, let kept, let wait):
            failures[failures.count - 1] = failure
            var dice = LoadedDice(face: .max)
            let ruling = machine.rule(
                on: failure, kept: kept, told: wait, schedule: schedule, now: now,
                deadline: AttemptWorld.start + .seconds(1_000_000), using: &dice)
            self.ruling = ruling
            record(ruling)
        case .outOfRoom(let kept): keep(kept)
        case .stopped(.cancel, _):
            state = .canceled
            (row, file) = (nil, nil)
        case .stopped(.suspend, let kept):
            state = .suspended
            keep(kept ?? (machine.mirrors == nil ? nil : machine.memory))
        case .stopped(.release, let kept), .stopped(.yield, let kept):
            state = .waiting
            keep(kept ?? (machine.mirrors == nil ? nil : machine.memory))
        case .stopped(.abandon, _): state = .waiting
        }
        check()
    }

    private func record(_ ruling: AttemptRuling) {
        switch ruling.verdict {
        case .retry(let at, _, let count, _):
            state = .waiting
            now = max(now, at)
            attemptsWithoutProgress = count
            keep(ruling.kept)
        case .wait(let at):
            state = .waiting
            now = max(now, at ?? now)
            keep(ruling.kept)
        case .attention:
            state = .attentionRequired
            keep(ruling.kept)
        case .fail:
            state = .failed
            (row, file) = (nil, nil)
        }
    }

    private func keep(_ point: ResumePoint?) {
        row = point
        received = point?.offset ?? 0
        if received == 0 { file = nil }
    }

    // MARK: - What must hold

    func check() {
        if let run = running {
            if run.questions > questionsAtMost { faults.append("asked without end") }
            if case .report(.failed(let failure, _, _)) = run.action,
                failure.detail.contains("wrong order")
            {
                faults.append("an event out of order")
            }
        }
        guard let point = row, point.offset > 0, point.void == nil, let part = file,
            point.fence == part.fence
        else { return }
        let found = part.versions(before: point.offset)
        if !found.allSatisfy({ matches(point, $0) }) {
            faults.append("the row names bytes of versions \(found)")
        }
        // A file that is too short is not taken over.
        if part.end < point.offset, part.length >= point.offset {
            faults.append("the row names bytes that are missing")
        }
        if !part.isSynced(before: point.offset) {
            faults.append("the row names bytes that were not synced")
        }
    }

    private func checkContent(_ body: VerifiedBody) {
        let found = file?.versions(before: .max) ?? []
        guard found.count <= 1 else { return faults.append("versions \(found) are one file") }
        guard let number = found.first else {
            if body.length > 0 { faults.append("there are no bytes") }
            return
        }
        guard let version = versions[number] else { return faults.append("bytes out of place") }
        if body.isLengthVerified, body.length != version.length || file?.end != version.length {
            faults.append("\(body.length) of \(version.length) bytes are called whole")
        }
    }
}
