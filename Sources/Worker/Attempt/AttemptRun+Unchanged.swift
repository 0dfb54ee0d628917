// The known version of a download's content, and the end of an attempt that finds no other one.
internal import Base
internal import Content
internal import Downloads
internal import Store
internal import Synchronization

extension AttemptTerms {
    /// The known version of a claimed download's content.
    ///
    /// Nil for a file that is here already, and where the file of the known content could not be
    /// shared. Validators are sent to `url` alone, because a mirror has other ones, and not where
    /// only the bytes can prove the client's digest.
    static func condition(of claim: ClaimedDownload) -> ChangeCondition? {
        let download = claim.download
        guard var condition = download.shared.value.condition?.sendable, !claim.isSending,
            download.outcome.value.unchanged == nil
        else { return nil }
        let expected = download.shared.value.expectedDigest
        let isProvable = expected.map {
            $0.algorithm == .sha256 && $0.hexadecimal == condition.digest
        }
        if claim.mirrors?.current ?? 0 != 0 || isProvable == false { condition.dropValidators() }
        return condition
    }
}

extension AttemptRun {
    /// Whether an unchanged download may get the file of another one.
    var sharesKnown: Bool { handle { $0.condition?.unchangedFrom } != nil }

    /// Whether a file has the known content.
    func isKnown(_ part: WrittenPart) -> Bool { handle { $0.condition?.digest } == part.sha256 }

    /// Asks whether the file of the known content is still kept.
    ///
    /// Without it a client that wants the content gets it from the origin in any case, and a look
    /// of a source learns only whether there is another version.
    @inline(never) func settleKnown() async {
        guard let id = handle({ $0.condition?.unchangedFrom }), !isSentOn else { return }
        guard await !owner.isShareable(id) else { return }
        handle { machine in
            if machine.condition?.isContentWanted ?? false {
                machine.condition = nil
            } else {
                machine.condition?.unchangedFrom = nil
            }
        }
    }

    /// Whether the finished file goes to another place than Lull's own.
    private var isSentOn: Bool {
        let spec = claim.download.shared.value
        return spec.destination != nil || spec.relay != nil
    }

    /// The record of an attempt that found the known content.
    ///
    /// The download joins the one that has the file, which its replica then shares. A file that
    /// goes elsewhere was placed or sent when it was new, and is not again.
    func unchanged(_ proof: UnchangedProof, at now: Timestamp) -> RunRecord {
        let known = isSentOn ? nil : handle { $0.condition?.unchangedFrom }
        var run = run(
            known == nil ? .succeeded : .unchanged, known == nil ? .succeeded : .waiting, at: now)
        var result = run.download.outcome.value
        result.response = state.withLock { $0.head }.map { OriginResponse($0) }
        result.currentURL = result.response?.url
        result.unchanged = proof
        (result.content, result.error, result.resume) = (nil, nil, nil)
        run.download.result = result
        run.attemptsWithoutProgress = 0
        run.download.bytesTotal = nil
        run.download.bytesReceived = 0
        guard let known else {
            run.download.state = .succeeded
            run.download.completedAt = now
            run.download.keepAddress()
            return run
        }
        run.download.state = .waiting
        run.sharedFrom = known
        run.runAt = now
        return run
    }
}
