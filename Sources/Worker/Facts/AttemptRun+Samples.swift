// The measurements of an attempt.
internal import Base
internal import Downloads
internal import Scheduling
internal import Store
internal import Synchronization

extension AttemptRun {
    /// The values that an attempt has measured for its origin and its session.
    ///
    /// - Parameters:
    ///   - run: the record of its end.
    ///   - report: how it ended.
    ///   - wasSlowed: whether the link was slow while it ran.
    /// - Returns: the values.
    func samples(
        of run: RunRecord, _ report: AttemptReport, wasSlowed: Bool
    ) -> [LearnedSample] {
        let origin = claim.originKey
        let (record, tally, isAnswered, ranges) = state.withLock { state in
            (
                state.record, state.machine.tally, state.facts != nil,
                state.facts.flatMap { AttemptRun.ranges($0, at: run.at) }
            )
        }
        var samples: [LearnedSample] = []
        samples.reserveCapacity(6)
        // Each of several streams gets only a part of the rate of a single one.
        if let rate = record.unthrottledRate, path.mostStreams == nil {
            let chain = LearnedKey.rates(
                origin: origin, quarter: LearnedKey.quarter(of: run.at))
            samples.append(LearnedSample(.rate, rate, chain))
            if wasSlowed { samples.append(LearnedSample(.slowRate, rate, chain)) }
        }
        if isAnswered, record.firstByteTime > 0 {
            samples.append(
                LearnedSample(
                    .setup, Double(record.firstByteTime) / 1e6,
                    LearnedKey.setups(origin: origin)))
        }
        // The rest is about the origin of the bytes.
        guard !claim.isSending else { return samples }
        if let ranges {
            samples.append(LearnedSample(.ranges, ranges, LearnedKey.resumes(origin: origin)))
        }
        if isAnswered, claim.resume?.offset ?? 0 > 0 {
            samples.append(
                LearnedSample(
                    .resume, tally.isRestarted ? 0 : 1, LearnedKey.resumes(origin: origin)))
        }
        // An arrival is counted when the download begins for the first time.
        if claim.download.attempt == 1 {
            samples += claim.download.schedulingClass == .discretionary ? [life] : []
            samples.append(
                LearnedSample(
                    .arrival, Double(claim.download.bytesExpectedByClient ?? 0),
                    LearnedKey.arrivals(
                        of: claim.download.schedulingClass, session: claim.sessionKey,
                        origin: origin, at: claim.download.createdAt)))
        }
        switch report {
        case .complete(let body):
            samples.append(
                LearnedSample(
                    .size, Double(body.length),
                    LearnedKey.sizes(session: claim.sessionKey, origin: origin)))
            samples.append(LearnedSample(.progress, 1, LearnedKey.progress(origin: origin)))
        case .failed where run.outcome == .retryScheduled:
            guard let total = run.download.bytesTotal else { break }
            let before = min(claim.download.bytesReceived, total)
            let gained = max(0, run.download.bytesReceived - before)
            guard total > before else { break }
            samples.append(
                LearnedSample(
                    .progress, Double(gained) / Double(total - before),
                    LearnedKey.progress(origin: origin)))
        case .failed, .outOfRoom, .stopped, .unchanged: break
        }
        return samples
    }

    /// The time from its creation to its deadline.
    private var life: LearnedSample {
        let spec = claim.download.spec
        let deadline = [spec.beginDeadline, spec.completeBy].compactMap(\.self).min()
        let seconds = deadline.map {
            Double(($0 - claim.download.createdAt).wholeMilliseconds) / 1000
        }
        return LearnedSample(
            .life,
            seconds.map { max(2 * LearnedMeasure.noDeadline, $0) } ?? LearnedMeasure.noDeadline,
            LearnedKey.sizes(session: claim.sessionKey, origin: claim.originKey))
    }

    /// Whether the answer allows a later request for the rest, as 1 or 0; nil for an answer without
    /// the whole content.
    private static func ranges(_ facts: ResponseFacts, at now: Timestamp) -> Double? {
        guard facts.isWhole else { return nil }
        return facts.namesRest(now: now) ? 1 : 0
    }
}
