// The client's demands and the origin's words, where the bytes are: head, body, errors.
internal import Core
internal import Crypto
internal import Store
internal import Synchronization
internal import Transfers

extension Attempt {
    /// The most bytes of an error's body that are kept for the client to read.
    static let excerptBytes = 1024

    /// Takes bytes of the answer: content for the file, the beginning of anything else for the
    /// attempt's record.
    func receive(_ bytes: UnsafeRawBufferPointer) -> TransferSink.Answer {
        let (isExcerpt, segments) = state.withLock { state -> (Bool, Segments?) in
            guard state.decision == .notContent else { return (false, state.segments) }
            let room = Attempt.excerptBytes - state.excerpt.count
            unsafe state.excerpt.append(contentsOf: bytes.prefix(max(room, 0)))
            state.isExcerptCut = bytes.count > room
            return (true, nil)
        }
        if isExcerpt {
            let isFull = state.withLock { $0.isExcerptCut }
            return isFull ? .abort(reason: "an error's body is read in part") : .taken
        }
        let writer = writer
        let (answer, drains) =
            if let segments {
                unsafe segments.receive(
                    bytes, of: SegmentPlan.first, asked: segments.total, into: writer.intake)
            } else {
                unsafe writer.intake.take(bytes)
            }
        lane.drain(drains, on: tools.engine) { writer.assumeIsolated { $0.drain() } }
        return answer
    }

    /// What the protocol and the client's demands say of an answer.
    func decide(_ plan: ResumePlan, _ facts: ResponseFacts) -> BodyDecision {
        let spec = claim.download.spec
        if let failure = otherContent(plan, facts) { return .reject(failure) }
        var rules = spec.rules
        let barred = state.withLock { $0.barred?.point }
        // Bytes of another mirror: what this one says of them is no change of a source.
        if let point = plan.point ?? barred, isForeign(point) { rules.onSourceChange = .restart }
        let hasDigest = spec.expectedDigest != nil
        return rules.judge(
            ResumeRules.judge(
                plan, facts, method: spec.request.method, hasDigest: hasDigest), plan,
            earlier: barred ?? claim.resume, facts, hasDigest: hasDigest,
            expectedLength: claim.download.bytesExpectedByClient)
    }

    /// The most bytes that the content may have; nil for no bound.
    var mostBytes: Int64? {
        let rules = claim.download.spec.rules
        let expected =
            rules.requiresExpectedLength ?? false ? claim.download.bytesExpectedByClient : nil
        guard let most = rules.maximumBytes, let expected else {
            return rules.maximumBytes ?? expected
        }
        return min(most, expected)
    }

    /// The failure of content that goes on beyond ``mostBytes``.
    var overBound: DownloadFailure? {
        guard writer.intake.isOverBound, let most = mostBytes else { return nil }
        return most == claim.download.spec.rules.maximumBytes
            ? .tooLong(nil, most: most) : .otherThanExpected(nil, expected: most)
    }

    /// Why an answer that libcurl's own head check refused may still lead to the whole.
    func unreadableRange(_ result: TransferResult, _ plan: ResumePlan) -> DiscardReason? {
        guard case .from = plan, case .failed(let failure) = result.outcome,
            failure.code == .badServerResponse, let framing = result.head?.framing
        else { return nil }
        switch framing.ambiguity {
        case .oddContentRange, .repeatedContentRange:
            return .unusable("206 without a usable Content-Range")
        default: return nil
        }
    }

    /// What a status that is no content means for this download.
    func failure(of result: TransferResult, kept: ResumePoint?) -> DownloadFailure {
        let url = claim.address
        let expiry =
            (result.head?.url.description).flatMap(SignedURL.expiry) ?? SignedURL.expiry(of: url)
        return AttemptVerdict.failure(
            status: result.head?.status ?? 0, hasBytes: kept != nil,
            isExpired: expiry.map { $0 <= tools.clock.now } ?? false,
            isProxied: claim.download.spec.request.proxyURL != nil)
    }

    /// The failure of a whole file whose digest is another than was said, or nil.
    ///
    /// - Parameters:
    ///   - digests: of the file.
    ///   - wasWhole: whether one answer brought all of it.
    /// - Returns: the client's digest is looked at first.
    func mismatch(
        _ digests: [DigestAlgorithm: String], wasWhole: Bool
    ) -> DownloadFailure? {
        if let expected = claim.download.spec.expectedDigest,
            digests[expected.algorithm] != expected.hexadecimal
        {
            let found = digests[expected.algorithm] ?? "unknown"
            // Bytes of two attempts may belong to two versions: once from the start decides, and in
            // one stream.
            if state.withLock({ $0.segments != nil }) { state.withLock { $0.mismatches += 1 } }
            return DownloadFailure(
                .permanent, code: .digestMismatch,
                detail: "the file's digest is \(expected.algorithm.rawValue):\(found)",
                isRetryable: !wasWhole)
        }
        let named = state.withLock { $0.claims?.digests ?? [] }
        guard let other = named.first(where: { digests[$0.algorithm] != $0.hexadecimal }) else {
            return nil
        }
        return originMismatch(
            "the origin says \(other.text), the file has "
                + (digests[other.algorithm] ?? "another"))
    }

    /// So often content that is not what its origin says is fetched again.
    static let mismatchesAtMost: Int64 = 2

    /// What the next attempt has to know although no bytes are kept.
    var memory: ResumePoint? {
        let (count, mirrors) = state.withLock { ($0.mismatches, $0.mirrors) }
        guard count > 0 || mirrors != nil else { return nil }
        var point = ResumePoint(
            mismatches: count, fence: claim.fence, instance: tools.instance)
        point.mirrors = mirrors
        return point
    }

    /// The beginning of an error's body, for the attempt's record only.
    static func excerpt(_ bytes: [UInt8], isCut: Bool) -> AttemptDetail.Excerpt? {
        guard !bytes.isEmpty else { return nil }
        var text = String(validating: bytes, as: UTF8.self)
        // A cut may go through a character.
        for missing in 1...3 where isCut && text == nil && bytes.count > missing {
            text = String(validating: bytes.dropLast(missing), as: UTF8.self)
        }
        let isPrintable = text?.utf8.allSatisfy {
            $0 >= 0x20 && $0 != 0x7f || [0x09, 0x0a, 0x0d].contains($0)
        }
        return AttemptDetail.Excerpt(
            encoding: isPrintable == true ? "utf-8" : "base64",
            text: isPrintable == true ? text ?? "" : Base64.encode(bytes), isCut: isCut)
    }
}
