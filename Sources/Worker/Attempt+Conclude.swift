// What the end of a transfer means for the attempt, and the proof that a file is whole.
internal import Content
internal import Core
internal import Platform
internal import Store
internal import Synchronization
internal import Transfers

extension Attempt {
    /// Where a later attempt may go on; nil where nothing would prove that the bytes fit together.
    func resumePoint(durable: Int64) -> ResumePoint? {
        // Only a GET is continued: what a POST answers is another thing each time.
        guard durable > 0, claim.download.spec.request.method == .get else { return nil }
        let (claims, restarts) = state.withLock { ($0.claims, $0.restarts) }
        guard let claims else {
            // No body came: what was known of the earlier bytes still holds.
            guard var point = claim.resume, point.offset == durable, point.void == nil else {
                return nil
            }
            point.fence = claim.fence
            point.mirrors = state.withLock { $0.mirrors }
            return point
        }
        var point = ResumePoint(
            offset: durable, fence: claim.fence, instance: tools.instance, claims: claims,
            restarts: restarts)
        (point.mismatches, point.mirrors) = state.withLock { ($0.mismatches, $0.mirrors) }
        let hasProof = point.ifRange != nil || claim.download.spec.expectedDigest != nil
        return hasProof ? point : nil
    }

    /// Holds the body back until the row forgets the bytes that it would replace.
    func forgetKeptBytes() async {
        while state.withLock({ $0.order == nil }) {
            if await remember(memory) {
                state.withLock { $0.rowNamesBytes = false }
                break
            }
            await Alarm().wait(upTo: .milliseconds(200))
        }
        if let transfer = state.withLock({ $0.transfer }) { tools.engine.resume(transfer) }
    }

    /// Makes what is here durable at the end of an attempt, and gives back room that is not used.
    func keep() async -> ResumePoint? {
        await writer.finish()
        let point = await checkpoint()
        if point != nil { await writer.trim() }
        return point
    }

    func stopped(_ order: RunOrder) async -> AttemptReport {
        switch order {
        case .cancel:
            await writer.discard()
            return .stopped(order, kept: nil)
        case .abandon:
            // The row may name these bytes; if not, the sweep takes them.
            return .stopped(order, kept: nil)
        case .suspend, .release:
            return .stopped(order, kept: await keep())
        }
    }

    func conclude(_ result: TransferResult, _ plan: ResumePlan) async -> AttemptReport {
        let (order, decision) = state.withLock { ($0.order, $0.decision) }
        if let order, case .cancelled = result.outcome { return await stopped(order) }
        if let segments = state.withLock({ $0.segments }), segments.isComplete {
            await writer.finish()
            return await verify(result.head, isLengthVerified: true)
        }
        switch (result.outcome, decision) {
        case (.completed(let isVerified), .fromStart):
            return await verify(result.head, isLengthVerified: isVerified)
        case (.completed, .append):
            let taken = state.withLock { $0.taken }
            guard let range = taken.range, taken.reachesEnd,
                result.bodyBytes == range.upperBound - range.lowerBound
            else { return await lengthDiffers(result.bodyBytes) }
            return await verify(result.head, isLengthVerified: true)
        case (_, .alreadyWhole):
            // The head of a 416 says nothing about the content.
            return await verify(nil, isLengthVerified: true)
        case (_, .notContent):
            let kept = await keep()
            return .failed(
                failure(of: result, kept: kept), kept: kept,
                retryAfter: result.head?.retryAfter.flatMap {
                    RetryAfter.parse($0, now: tools.clock.now)
                })
        case (_, .reject(let failure)):
            var kept = await keep()
            if failure.code == .sourceChanged { kept?.void = failure.detail }
            return .failed(failure, kept: kept, retryAfter: nil)
        case (_, .ambiguous(let reason)):
            let failure = DownloadFailure(
                .network, code: .badServerResponse,
                detail: "the origin's answer contradicts itself: \(reason)", isRetryable: true)
            return .failed(failure, kept: await keep(), retryAfter: nil)
        case (.failed, _), (.cancelled, _), (.refused, _):
            if let order { return await stopped(order) }
            if let write = await writer.writeFailure { return await notWritten(write) }
            if let tooMuch = overBound {
                return .failed(tooMuch, kept: await keep(), retryAfter: nil)
            }
            return .failed(
                DownloadFailure(result.outcome), kept: await keep(), retryAfter: nil)
        case (.completed, _):
            preconditionFailure("a completed transfer was judged before its first byte")
        }
    }

    private func verify(
        _ head: ResponseHead?, isLengthVerified: Bool
    ) async -> AttemptReport {
        let body: WrittenPart
        do throws(ContentError) {
            body = try await writer.complete()
        } catch {
            return await notWritten(error)
        }
        let (total, wasWhole, isNamed) = state.withLock {
            ($0.total, $0.wasWhole, !($0.claims?.digests ?? []).isEmpty)
        }
        if let total, total != body.length { return await lengthDiffers(body.length) }
        let spec = claim.download.spec
        var failure =
            spec.rules.refusal(ofLength: body.length, claim.download.bytesExpectedByClient)
            ?? mismatch(body.digests, wasWhole: wasWhole)
        if failure == nil {
            do throws(ContentError) {
                failure = try await mismatchInParts(length: body.length)
            } catch {
                return await notWritten(error)
            }
        }
        if let failure {
            await writer.discard()
            return .failed(failure, kept: nil, retryAfter: nil)
        }
        return .complete(
            CompleteBody(
                part: body.part, length: body.length, sha256: body.sha256,
                isLengthVerified: isLengthVerified || total != nil || isNamed
                    || spec.expectedDigest != nil,
                head: head))
    }

    private func lengthDiffers(_ count: Int64) async -> AttemptReport {
        await writer.discard()
        let total = state.withLock { $0.total.map { "\($0)" } ?? "more" }
        let failure = DownloadFailure(
            .network, code: .sizeMismatch,
            detail: "\(count) bytes came, \(total) were announced", isRetryable: true)
        return .failed(failure, kept: nil, retryAfter: nil)
    }

    private func notWritten(_ error: ContentError) async -> AttemptReport {
        if error.code == .noSpace {
            // Bytes of this attempt are given up: halves of many files would fill the disk, and
            // none of them could be finished.
            let durable = await writer.retreat()
            return .outOfRoom(kept: resumePoint(durable: durable))
        }
        await writer.discard()
        let failure = DownloadFailure(
            .internal, code: .cannotWriteToFile, detail: "the file could not be written",
            isRetryable: true)
        return .failed(failure, kept: nil, retryAfter: nil)
    }
}
