// The path of an attempt's bytes: from libcurl's thread through blocks to the file, in one stream
// or in several.
internal import Base
internal import Content
internal import Downloads
internal import Platform
internal import Synchronization
internal import Transfers

/// Owns the parts through which an attempt's bytes pass: intake, writer and streams.
final class BodyPath: Sendable {
    private struct State {
        /// Whether the body is the text of an error.
        var isExcerpt = false
        /// Whether the beginning of content is kept as well.
        var keepsExcerpt = false
        var excerpt = BodyExcerpt()
        var segments: Segments?
        /// Runs all further streams.
        var streams: TaskOwner?
        var reserved: Int64 = 0
        /// A small body, kept in memory until it is published.
        var held: CompletedPart?
    }

    let writer: PartWriter
    let engine: TransferEngine
    /// The lane on which the file is written.
    let lane: WriteLane
    private let state = Mutex(State())
    /// Received bytes of content, void ones included.
    private let arrivedBytes = Atomic<Int64>(0)

    init(writer: PartWriter, lane: WriteLane, engine: TransferEngine) {
        self.writer = writer
        self.lane = lane
        self.engine = engine
    }

    // MARK: - What comes

    /// Prepares for a question that is about to be sent.
    func begin(_ id: TransferID) {
        state.withLock { state in
            (state.isExcerpt, state.keepsExcerpt) = (false, false)
            state.excerpt = BodyExcerpt()
        }
        writer.follow(id)
    }

    /// Notes that the body is the text of an error.
    func takeExcerpt() { state.withLock { $0.isExcerpt = true } }

    /// Notes that the body is content, whose place in the file is set already.
    func take(_ place: BodyPlace) {
        let segments = segments
        if place.keepsExcerpt { state.withLock { $0.keepsExcerpt = true } }
        if place.isFresh { segments?.forgetPlan() } else { segments?.resume(at: place.start) }
        guard let length = place.whole else { return }
        writer.intake.announce(length: length)
        reserve(length)
    }

    /// Sets the place of the next bytes; gathered bytes that were not written are dropped.
    func set(_ place: BodyPlace) {
        writer.intake.start(at: place.start, end: place.end)
        want(place.digests)
    }

    /// Requests digests of the whole beside SHA-256.
    func want(_ digests: Set<DigestAlgorithm>) {
        for digest in digests { writer.intake.want(digest) }
    }

    /// Reserves room on the disk for the whole file, unless it is small.
    private func reserve(_ length: Int64) {
        guard length > Int64(BodyIntake.blockBytes) else { return }
        // In order with the drains, so that no byte is written before.
        lane.drain(.soon, on: engine) { [self] in
            guard writer.assumeIsolated({ $0.reserve(bytes: length) }) else { return }
            state.withLock { $0.reserved = length }
        }
    }

    /// Takes bytes of the answer: content for the file, the beginning of an error's text for the
    /// attempt's record.
    func receive(_ bytes: UnsafeRawBufferPointer) -> TransferSink.Answer {
        let (isFull, segments, keeps) = state.withLock { state -> (Bool?, Segments?, Bool) in
            guard state.isExcerpt else {
                return (nil, state.segments, state.keepsExcerpt && !state.excerpt.isFull)
            }
            unsafe state.excerpt.append(bytes)
            return (state.excerpt.isFull, nil, false)
        }
        if let isFull {
            return isFull ? .abort(reason: "only the beginning of an error's body is read") : .taken
        }
        let (answer, drains) =
            if let segments {
                unsafe segments.receive(
                    bytes, of: SegmentPlan.first, asked: segments.offer.total, into: writer.intake)
            } else {
                unsafe writer.intake.take(bytes)
            }
        if case .taken = answer {
            count(bytes.count)
            if keeps { state.withLock { unsafe $0.excerpt.append(bytes) } }
        }
        guard drains != .none else { return answer }
        let writer = writer
        lane.drain(drains, on: engine) { writer.assumeIsolated { $0.drain() } }
        return answer
    }

    /// Takes bytes of a further stream.
    func receive(
        _ bytes: UnsafeRawBufferPointer, of stream: SegmentStream, _ segments: Segments
    ) -> TransferSink.Answer {
        let (answer, drains) = unsafe segments.receive(
            bytes, of: stream.number, asked: stream.range.upperBound, into: stream.intake)
        if case .taken = answer { count(bytes.count) }
        guard drains != .none else { return answer }
        let (writer, engine) = (writer, engine)
        lane.drain(drains, on: engine) {
            writer.assumeIsolated { $0.drain(stream, on: engine) }
        }
        return answer
    }

    private func count(_ bytes: Int) { arrivedBytes.add(Int64(bytes), ordering: .relaxed) }

    // MARK: - What is here

    /// Received bytes of content since the beginning, void ones included.
    var arrived: Int64 { arrivedBytes.load(ordering: .relaxed) }

    /// The end of the received bytes in the file, over all streams.
    var received: Int64 {
        let position = writer.intake.position
        return segments?.received ?? position.start + position.taken
    }

    /// Bytes for which room is reserved on the disk.
    var reserved: Int64 { state.withLock { $0.reserved } }

    /// The beginning of the last error's text, or of content that may be too short.
    var excerpt: BodyExcerpt { state.withLock { $0.excerpt } }

    /// Whether the excerpt is of content.
    var isExcerptContent: Bool { state.withLock { $0.keepsExcerpt } }

    /// The most streams at once; nil if the file was never cut.
    var mostStreams: Int? { segments.flatMap { $0.isCut ? $0.most : nil } }

    /// The reason why bytes could not be written; nil if they could.
    var trouble: WriteTrouble? {
        get async {
            // A body in memory was not written.
            writer.intake.isHeld ? nil : await writer.writeFailure.map { WriteTrouble($0) }
        }
    }

    /// The state of the bytes; called after the end of a transfer.
    func end(_ trouble: WriteTrouble?) -> BodyEnd {
        let (segments, hasStreams) = state.withLock { ($0.segments, $0.streams != nil) }
        var end = BodyEnd()
        end.isOverEnd = writer.intake.isOverEnd
        end.isOverBound = writer.intake.isOverBound
        end.trouble = trouble
        end.hasStreams = hasStreams
        end.isCut = segments?.isCut ?? false
        end.isComplete = segments?.isComplete ?? false
        return end
    }

    // MARK: - Streams

    /// The streams of the file, if it may have several.
    var segments: Segments? { state.withLock { $0.segments } }

    /// Begins several streams.
    func begin(_ segments: Segments, _ run: @escaping @Sendable @concurrent () async -> Void) {
        state.withLock { state in
            let streams = TaskOwner()
            state.segments = segments
            state.streams = streams
            streams.start(run)
        }
    }

    /// Takes the streams to wait for; they are returned once.
    func takeStreams() -> (segments: Segments, tasks: TaskOwner)? {
        state.withLock { state in
            guard let segments = state.segments, let tasks = state.streams else { return nil }
            state.streams = nil
            return (segments, tasks)
        }
    }

    // MARK: - The file

    /// Takes over an earlier attempt's file.
    ///
    /// - Returns: false if it is not there, or not as long.
    func adopt(
        fence: Int64, length: Int64, of source: Identifier? = nil,
        digested digest: (mark: FileMark, sha256: String)? = nil
    ) async -> Bool {
        let isThere = await writer.adopt(
            fence: fence, length: length, of: source, digested: digest)
        writer.intake.start(at: isThere ? length : 0)
        return isThere
    }

    /// Lets the next answer be written at the first missing byte.
    func restart() async -> Int64? {
        await writer.finish()
        return await writer.restart()
    }

    /// Syncs the received bytes.
    ///
    /// - Returns: the bytes that are durable; nil if that failed.
    func checkpoint() async -> Int64? {
        do throws(ContentError) { return try await writer.checkpoint() } catch { return nil }
    }

    /// Syncs the received bytes; none follow.
    func keep() async -> Int64? {
        await writer.finish()
        do throws(ContentError) { return try await writer.checkpoint(isLast: true) } catch {
            return nil
        }
    }

    /// Ends the file and digests it.
    ///
    /// - Parameters:
    ///   - digests: what is wanted beside SHA-256.
    ///   - mayStayInMemory: whether a small body needs no file before it is published.
    /// - Returns: the whole file, or why it could not be written.
    func complete(
        _ digests: Set<DigestAlgorithm>, mayStayInMemory: Bool
    ) async -> Result<WrittenPart, WriteTrouble> {
        want(digests)
        if mayStayInMemory, segments == nil, let body = writer.intake.takeWhole() {
            let part = WrittenPart(
                holding: body, name: writer.name, digests: writer.intake.wanted)
            state.withLock { $0.held = part.file }
            return .success(part)
        }
        await writer.finish()
        do throws(ContentError) {
            return .success(try await writer.complete())
        } catch {
            return .failure(WriteTrouble(error))
        }
    }

    /// The first part whose digest differs from the given one.
    func compare(_ parts: [PartDigest]) async -> Result<PartDigest?, WriteTrouble> {
        if let held = state.withLock({ $0.held }) { return .success(held.mismatch(in: parts)) }
        do throws(ContentError) {
            return .success(try await writer.mismatch(in: parts))
        } catch {
            return .failure(WriteTrouble(error))
        }
    }
}

extension WriteTrouble {
    init(_ error: ContentError) { self = error.code == .noSpace ? .noRoom : .failed }
}
