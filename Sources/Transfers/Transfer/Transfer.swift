// One run in progress, which the byte callbacks work on.
internal import Base
internal import Downloads
internal import Platform
internal import Scheduling

/// The state of one transfer; used only on the engine's thread.
// Safe because who makes it hands it to the engine and keeps no reference.
final class Transfer: @unchecked Sendable {
    let id: TransferID
    let request: TransferRequest
    let destination: ByteDestination
    /// The caller that waits for the end.
    let continuation: CheckedContinuation<TransferResult, Never>

    /// The current request.
    var hop: Hop
    /// All URLs so far, the current one last.
    var chain: [SourceURL]
    /// The number of requests so far, the current one included.
    private var hops = 1
    /// The handle of the hop; nil while it waits for a turn or an address.
    var easy: EasyHandle?
    /// The result so far.
    var result = TransferResult(outcome: .completed(lengthVerified: false))
    /// The end of a run that will not complete; the first reason counts.
    private(set) var ending: TransferResult.Outcome?
    /// The hop after this one, known once this one's head is complete.
    private(set) var next: Hop?
    /// The wait before the next hop, as its redirect told.
    private var nextWait = Duration.zero
    /// The time at which the next hop begins after such a wait; nanoseconds since boot, nil without
    /// a wait.
    private(set) var waitsUntil: Int64?
    /// The number of redirects that were waited for.
    private var waitedRedirects = 0
    /// Whether a kept connection could not carry the hop, so that it needs a new one.
    var needsFreshConnection = false
    /// Whether there were bytes behind the end of the answer.
    private(set) var hasStrayBytes = false
    /// Whether the sink or the source has paused the transfer.
    var isPaused = false {
        didSet { if isPaused != oldValue { lowSpeedDetector?.excludeWindow() } }
    }
    /// Whether the sink has paused the body before it began.
    var holdsBody = false

    /// Whether the address in look-up is the proxy's.
    var asksForProxy = false
    /// The rate limits; nil without any.
    var pacing: Pacing?
    /// Its own limit in bytes a second.
    var ownLimit: Int64?
    /// Its number in the rate limits.
    var paceNumber = 0
    /// Bytes that it may receive or send before it asks again; negative after a piece that was
    /// longer.
    var credit: Int64 = 0
    /// Whether it is paused until its turn.
    var isHeld = false {
        didSet {
            guard isHeld != oldValue else { return }
            gauges.countHeld(isHeld ? 1 : -1)
            lowSpeedDetector?.excludeWindow()
        }
    }

    /// The check of its least speed; nil without one.
    var lowSpeedDetector: LowSpeedDetector?

    /// The rate of the other side while this side does not hold it back.
    var meter = SpanMeter()

    /// Whether the run is counted among the running ones.
    private(set) var hasTurn = false

    /// Nanoseconds since boot: the start; below, the start of the hop, and the last byte or
    /// progress.
    let startedAt: Int64
    private(set) var hopStartedAt: Int64
    private var launchedAt: Int64 = 0
    var lastByteAt: Int64
    /// The phase of this hop.
    var phase = TransferPhase.lookup {
        didSet {
            guard (phase == .body) != (oldValue == .body) else { return }
            gauges.countInBody(phase == .body ? 1 : -1)
        }
    }

    /// The body that is read while it is sent.
    var sending = Sending()
    private(set) var parser = HeadParser()
    /// The length of the body that the head announces.
    private var answerLength: Int64?
    /// The reader of a chunked body; nil for a body without chunks.
    private var chunks: ChunkedBody?
    /// Bytes of the next piece that were taken before a pause, after which the piece is offered
    /// again.
    private var offered = 0
    private var dropped = 0
    let gauges: TransferGauges

    /// The answer of a callback to libcurl.
    enum Answer { case taken, pause, abort }

    init(
        id: TransferID, request: TransferRequest, destination: ByteDestination,
        continuation: CheckedContinuation<TransferResult, Never>, gauges: TransferGauges,
        now: Int64
    ) {
        self.id = id
        self.gauges = gauges
        self.request = request
        self.destination = destination
        self.continuation = continuation
        ownLimit = request.maximumBytesPerSecond
        lowSpeedDetector = request.lowSpeed.map { LowSpeedDetector($0) }
        hop = Hop(request)
        chain = [request.url]
        startedAt = now
        hopStartedAt = now
        lastByteAt = now
    }

    /// Notes a failure, with which the run will end.
    func fail(_ code: FailureCode, detail: String = "") {
        fail(TransferFailure(code, detail: detail))
    }

    /// Notes a failure, with which the run will end.
    func fail(_ failure: TransferFailure) {
        end(.failed(failure))
    }

    /// Notes that the caller cancelled the run.
    func cancel() { end(.cancelled) }

    func end(_ outcome: TransferResult.Outcome) {
        if ending == nil { ending = outcome }
    }

    /// Whether the request's own origin, or the proxy, was not reached; the target of a redirect
    /// does not count.
    var isUnreachable: Bool {
        guard case .failed(let failure) = ending else { return false }
        return failure.isUnreachable && chain.count == 1
    }

    /// Notes that the address is known and libcurl has the hop.
    func launched(now: Int64) {
        phase = .connect
        launchedAt = now
        lowSpeedDetector?.begin(now: now)
    }

    /// Notes that the connection is established and the request is about to be sent.
    ///
    /// - Returns: false if its body cannot be sent again.
    func connected() -> Bool {
        guard rewind() else { return false }
        phase = .firstByte
        result.wasSent = true
        return true
    }

    /// Notes that the run may begin; the wait does not count as silence.
    func takeTurn(now: Int64) {
        hasTurn = true
        hopStartedAt = now
        lastByteAt = now
    }

    /// Begins the next hop.
    func follow(_ hop: Hop, now: Int64) {
        // A URL that redirects to itself again and again is one entry of the chain.
        let isWaitedFor = nextWait > .zero
        // The answer to a challenge is sent to an unchanged URL, which is no redirect.
        let isRedirect = hop.challenges == 0
        if isRedirect, !isWaitedFor || hop.url != self.hop.url { chain.append(hop.url) }
        waitsUntil = isWaitedFor ? now + Deadline.nanoseconds(nextWait) : nil
        if isWaitedFor { waitedRedirects += 1 }
        if isRedirect { hops += 1 }
        nextWait = .zero
        self.hop = hop
        next = nil
        needsFreshConnection = false
        hasStrayBytes = false
        parser.reset()
        meter = SpanMeter()
        chunks = nil
        offered = 0
        dropped = 0
        phase = .lookup
        lowSpeedDetector?.end()
        hopStartedAt = now
        lastByteAt = now
    }

    /// Ends a told wait, which does not count as silence.
    func endWait(now: Int64) {
        waitsUntil = nil
        hopStartedAt = now
        lastByteAt = now
    }

    /// The instant at which the run fails if nothing happens, or at which a told wait ends;
    /// nanoseconds since boot.
    var deadline: Int64 {
        var earliest = Int64.max
        if let total = request.totalTimeout {
            earliest = startedAt &+ Deadline.nanoseconds(total)
        }
        guard hasTurn else { return earliest }
        if let waitsUntil { return min(earliest, waitsUntil) }
        if let lowSpeedDetector { earliest = min(earliest, lowSpeedDetector.until) }
        switch phase {
        case .lookup:
            earliest = min(earliest, hopStartedAt + Deadline.nanoseconds(request.lookupTimeout))
        case .connect, .tls:
            earliest = min(earliest, launchedAt + Deadline.nanoseconds(request.connectTimeout))
        case .firstByte, .body: break
        }
        if !isPaused, !isHeld {
            earliest = min(earliest, lastByteAt + Deadline.nanoseconds(request.idleTimeout))
        }
        return earliest
    }

    /// Whether the time for the whole run is over.
    func isLateInAll(_ now: Int64) -> Bool {
        guard let total = request.totalTimeout else { return false }
        return startedAt &+ Deadline.nanoseconds(total) <= now
    }

    /// Finds out whether the TLS handshake has begun, because libcurl has no callback between TCP
    /// and TLS.
    func notePhase() {
        guard phase == .connect, hop.url.scheme == .https, let easy,
            easy.measurements.connections > 0
        else { return }
        phase = .tls
    }

    /// Takes a header line; false ends the hop.
    func receive(header line: UnsafeRawBufferPointer) -> Bool {
        lastByteAt = SystemClock.bootNanoseconds()
        countLine()
        if id.isCancelled {
            cancel()
            return false
        }
        switch unsafe parser.take(line) {
        case .more, .trailer: return true
        case .complete: return headIsComplete() && judgeHead()
        case .tooLong:
            fail(.badServerResponse, detail: ResponseFraming.Ambiguity.tooManyHeaderBytes.rawValue)
            return false
        }
    }

    /// Takes a received piece of the body, and removes chunked framing.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Answer {
        lastByteAt = SystemClock.bootNanoseconds()
        if id.isCancelled { cancel() }
        if ending != nil { return .abort }
        let answer = chunks == nil ? unsafe take(bytes) : unsafe takeChunks(bytes)
        return answer == .taken && !judgeAnswer() ? .abort : answer
    }

    /// Takes the content of a chunked piece; bytes behind the end are dropped.
    private func takeChunks(_ bytes: UnsafeRawBufferPointer) -> Answer {
        var position = offered
        offered = 0
        while var reader = chunks {
            // Released before the call, so that the array of trailers grows without a copy.
            chunks = nil
            let step = unsafe reader.next(bytes, at: &position)
            chunks = reader
            switch step {
            case .more: return .taken
            case .complete:
                result.trailers = reader.trailers
                if position < bytes.count { hasStrayBytes = true }
                return .taken
            case .malformed(let reason):
                if next == nil { fail(.badServerResponse, detail: reason.rawValue) }
                return .abort
            case .content(let count):
                let piece = unsafe UnsafeRawBufferPointer(
                    rebasing: bytes[position..<(position + count)])
                let answer = unsafe take(piece)
                guard answer == .taken else {
                    if answer == .pause { offered = position }
                    return answer
                }
                chunks?.take(count)
                position += count
            }
        }
        return .taken
    }

    /// Takes a piece of content.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Answer {
        if next != nil {
            lowSpeedDetector?.count(bytes.count)
            dropped += bytes.count
            // To read the rest of a long one costs more than a new connection.
            return dropped <= TransferLimits.redirectBodyBytesMax ? .taken : .abort
        }
        if holdsBody {
            isPaused = true
            meter.pause()
            return .pause
        }
        if let most = request.maximumBodyBytes,
            Int64(bytes.count) > most - result.bodyBytes
        {
            fail(.dataLengthExceedsMaximum)
            return .abort
        }
        // The rates of a request with a source are for its own body.
        let pacing = hop.source == nil ? pacing : nil
        if let pacing, credit <= 0, !pacing.mayMove(self, now: lastByteAt) {
            isHeld = true
            meter.pause()
            return .pause
        }
        let answer = unsafe deliver(bytes)
        if answer == .taken {
            // Only content counts as speed; framing has a bound of its own.
            lowSpeedDetector?.count(bytes.count)
            result.bodyBytes += Int64(bytes.count)
            gauges.count(bytes: bytes.count)
            if hop.source == nil { meter.count(bytes.count, at: lastByteAt) }
            if pacing != nil { credit -= Int64(bytes.count) }
        }
        return answer
    }

    /// Bytes a second of the last hop while this side did not hold it back; nil for too few.
    var unthrottledRate: Double? { meter.rate }

    /// Whether an end that libcurl reports as good is one, and whether its length was verified.
    func isLengthVerified() -> Bool? {
        guard let head = result.head else { return nil }
        if !hasBody(head.status) { return true }
        if let length = head.framing.contentLength {
            return length == result.bodyBytes ? true : nil
        }
        guard let chunks else { return false }
        return chunks.isComplete ? true : nil
    }

    /// Whether the answer's head is complete and says where its body ends.
    var isDelimited: Bool {
        !hasBody(parser.status) || answerLength != nil || chunks != nil
    }

    /// The bytes of the answer's body that are missing, as its head tells; nil if it does not.
    var contentLeft: Int64? {
        if !hasBody(parser.status) { return 0 }
        guard chunks == nil, let answerLength else { return nil }
        return answerLength - (next == nil ? result.bodyBytes : Int64(dropped))
    }

    /// Whether the answer has come to the end that its head tells.
    var isAnswerWhole: Bool {
        parser.isComplete && (contentLeft == 0 || chunks?.isComplete == true)
    }

    private func deliver(_ bytes: UnsafeRawBufferPointer) -> Answer {
        switch destination {
        case .discard: return .taken
        case .buffer(let limit):
            let room = max(0, limit - result.buffer.count)
            unsafe result.buffer.append(contentsOf: bytes.prefix(room))
            return .taken
        case .sink(let sink):
            switch unsafe sink.receive(bytes) {
            case .taken: return .taken
            case .pause:
                isPaused = true
                meter.pause()
                return .pause
            case .abort(let reason):
                end(.refused(reason: reason))
                return .abort
            }
        }
    }

    /// Whether the head is complete and has no body.
    var hasEmptyAnswer: Bool {
        guard parser.isComplete else { return false }
        return !hasBody(parser.status) || answerLength == 0
    }

    private func hasBody(_ status: Int) -> Bool {
        hop.method != .head && status != 204 && status != 304
    }

    private func headIsComplete() -> Bool {
        phase = .body
        let (fields, framing) = parser.read()
        let head = ResponseHead(
            status: parser.status, fields: fields, framing: framing, url: hop.url, chain: chain)
        if let ambiguity = framing.ambiguity {
            // Without a status there is no answer.
            if ambiguity != .malformedStatusLine { result.head = head }
            fail(.badServerResponse, detail: ambiguity.rawValue)
            return false
        }
        answerLength = framing.contentLength
        if framing.isChunked { chunks = ChunkedBody() }
        request.memory?.take(head)
        if let again = hop.answering(head, request) ?? hop.withoutExpectation(head), maySendAgain {
            next = again
            return true
        }
        if request.followsRedirects > 0, maySendAgain {
            switch hop.redirect(head, allowsDowngrade: request.allowsDowngrade) {
            case .none: break
            case .follow(let hop):
                let wait = request.redirectWait(head) ?? .zero
                // For a longer wait the attempt ends, and the URL is requested again after that.
                guard wait <= TransferLimits.redirectWaitMax else { break }
                let isWaitedFor = wait > .zero
                guard
                    isWaitedFor
                        ? waitedRedirects < TransferLimits.waitedRedirectsMax
                        : hops - waitedRedirects <= request.followsRedirects
                else {
                    result.head = head
                    fail(.tooManyRedirects)
                    return false
                }
                (next, nextWait) = (hop, wait)
                return true
            case .refuse(let failure):
                result.head = head
                fail(failure)
                return false
            }
        }
        return begin(head)
    }

    private func begin(_ head: ResponseHead) -> Bool {
        result.head = head
        if head.framing.isLengthBeyondCounting {
            fail(.lengthBeyondCounting)
            return false
        }
        if let most = request.maximumBodyBytes, hasBody(head.status),
            head.framing.contentLength ?? 0 > most
        {
            fail(.dataLengthExceedsMaximum)
            return false
        }
        guard case .sink(let sink) = destination else { return true }
        switch sink.begin(head) {
        case .taken: return true
        case .pause:
            holdsBody = true
            return true
        case .abort(let reason):
            end(.refused(reason: reason))
            return false
        }
    }
}
