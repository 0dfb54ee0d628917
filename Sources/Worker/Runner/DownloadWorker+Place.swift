// Places complete files into the folders of their destinations, before their ends are recorded.
internal import Base
internal import Content
internal import Downloads
internal import Platform
internal import Scheduling
internal import Store
internal import Synchronization

/// The result of placing a file, with its facts.
private struct PlacementResult: Sendable {
    let facts: FileFacts
    let outcome: PlacingFolder.Outcome
}

extension DownloadWorker {
    /// A report whose file is in its destination, if it has one.
    ///
    /// The row is marked first, so that an attempt that ends between here and its record leaves a
    /// file that the next one recognizes as its own.
    ///
    /// - Returns: the report; another one where the file could not be placed, with the bytes kept.
    @inline(never) func placed(
        _ report: AttemptReport, _ attempt: AttemptRun, _ ledger: Ledger
    ) async -> AttemptReport {
        let claim = attempt.claim
        let spec = claim.download.shared.value
        guard case .complete(var body) = report, let destination = spec.folder else {
            return report
        }
        let kept = attempt.wholePoint(of: body)
        guard let (entry, copies) = settings.folders.find(destination.name, app: claim.appName)
        else {
            return .failed(
                DownloadFailure(
                    .destinationUnavailable,
                    detail: "the replica that fetched the file has no folder "
                        + "\"\(destination.name)\" in LULL_DESTINATIONS"),
                kept: kept, told: nil)
        }
        guard let isRepeated = await beginPlacing(claim, ledger) else {
            return .stopped(.abandon, kept: nil)
        }
        let reserve = settings.minimumFree
        let request = PlacingFolder.PlacementRequest(
            path: destination.path ?? attempt.fileName(of: body),
            onConflict: destination.onConflict, url: claim.download.url,
            isNamedByClient: destination.path != nil || spec.filename != nil,
            isRepeated: isRepeated, copies: copies, length: body.length,
            reserve: { reserve ?? DiskReading.standardReserve(total: $0.total) })
        guard let part = body.file.part else {
            preconditionFailure("a body with a destination is in a file")
        }
        let modified = body.response?.lastModified
            .flatMap { Timestamp(httpDate: $0, now: clock.now) }
            .flatMap { $0 <= clock.now ? $0.seconds : nil }
        let result = await entry.lane.run { () -> Result<PlacementResult, ContentError> in
            do throws(ContentError) {
                // Taken before other programs can reach the file, so their later writes change the
                // facts.
                let facts = try part.settledFacts(modified: modified)
                return .success(
                    PlacementResult(facts: facts, outcome: try entry.folder.place(part, request)))
            } catch {
                return .failure(error)
            }
        }
        switch result.map(\.outcome) {
        case .success(.placed(let path)):
            tally.countPlaced("placed")
            if case .success(let placing) = result { body.placedFacts = placing.facts }
            body.placed = PlacedFile(name: destination.name, path: path)
            return .complete(body)
        case .success(.taken(let path)):
            tally.countPlaced("conflict")
            return .failed(
                DownloadFailure(
                    .destinationConflict,
                    detail: "the folder \"\(destination.name)\" already has a file \"\(path)\"; "
                        + "the bytes are kept: PATCH destination, then resume"),
                kept: kept, told: nil)
        case .failure(let error):
            tally.countPlaced("failed")
            log.warn(
                "file could not be placed into its folder",
                [
                    ("download_id", .string(claim.download.id.text)),
                    ("error", .string(error.description)),
                ])
            return DownloadWorker.misplaced(error, kept: kept, in: destination)
        }
    }

    private static func misplaced(
        _ error: ContentError, kept: ResumePoint, in destination: FileDestination
    ) -> AttemptReport {
        if error.code == .noSpace { return .outOfRoom(kept: kept) }
        guard error.operation != PlacingFolder.syncOfPart else {
            return .failed(
                DownloadFailure(.cannotWriteToFile, detail: "the file could not be written"),
                kept: nil, told: nil)
        }
        guard !error.isWayUnsteady else {
            // Another program may be replacing a folder by a link at this moment.
            return .failed(
                DownloadFailure(
                    .network, code: .destinationUnavailable,
                    detail:
                        "a symbolic link is on the path of the file in \"\(destination.name)\", "
                        + "and links are not followed; the bytes are kept: replace the link by a "
                        + "folder, or PATCH destination; then resume",
                    isRetryable: true),
                kept: kept, told: nil)
        }
        return .failed(
            DownloadFailure(
                .destinationUnavailable,
                detail: "the file could not be placed at its path in \"\(destination.name)\"; the "
                    + "bytes are kept: PATCH destination, then resume"),
            kept: kept, told: nil)
    }

    /// Marks a row whose file is about to be placed.
    ///
    /// - Returns: whether an earlier attempt came as far; nil if the attempt has lost the row.
    private func beginPlacing(_ claim: ClaimedDownload, _ ledger: Ledger) async -> Bool? {
        while true {
            do throws(StoreError) {
                return try await ledger.beginPlacing(claim.download.id, fence: claim.fence)
            } catch {
                log.warn(
                    "the place of a file could not be recorded",
                    [("error", .string(error.description))])
                guard error.code == .unavailable, isWorking, !lease.isOver else { return nil }
                await Alarm().wait(upTo: .milliseconds(200))
            }
        }
    }
}

extension AttemptRun {
    /// The resume point of an attempt that only has to place the file.
    func wholePoint(of body: CompleteBody) -> ResumePoint {
        var point = handle {
            $0.wholePoint(
                length: body.length, sha256: body.sha256, isVerified: body.isLengthVerified)
        }
        guard point.received != nil else { return point }
        point.received?.progress = body.isSent ? .accepted : .waiting
        point.received?.mark = state.withLock { $0.mark }
        point.received?.answer = body.isSent ? state.withLock { $0.answer } : nil
        return point
    }

    /// The name of the file: the client's, the one that the origin offers, or the URL's.
    func fileName(of body: CompleteBody) -> String {
        if let name = claim.download.shared.value.filename { return name }
        if let name = response(of: body)?.suggestedFilename { return name }
        guard case .success(let url) = ClaimedDownload.parse(claim.download.url) else {
            return "download"
        }
        return SuggestedFilename.choose(contentDisposition: nil, path: url.target)
    }
}
