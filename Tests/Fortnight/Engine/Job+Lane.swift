// A download of a world as the engine looks at it.
import Downloads
import Scheduling

extension Job {
    /// The download as a candidate of the verdict.
    ///
    /// - Parameter running: the number of running downloads of its origin.
    /// - Returns: the candidate.
    func candidate(running: Int = 0) -> AdmissionCandidate {
        let created = World.instant(download.created)
        var candidate = AdmissionCandidate(
            isDiscretionary: download.isDiscretionary, session: "default", createdAt: created,
            waitingSince: created, runAt: created, attempt: 0,
            origin: GateReading(running: running), sessionGate: GateReading(),
            need: Int64(max(0, knownSize.map { $0 - done } ?? 0)))
        candidate.originName = World.originName(download.origin)
        candidate.originKey = Int64(download.origin)
        candidate.sessionKey = 1
        candidate.schedulingClass = download.isDiscretionary ? .discretionary : .normal
        candidate.received = Int64(done)
        candidate.isAnnounced = attempts > 0
        candidate.isResumable = done > 0 && download.isResumable
        if isRunning, attempt.minutes >= 5 {
            candidate.speed = attempt.bytes / attempt.minutes / 60
        }
        candidate.deadline.complete = download.completeBy.map(World.instant)
        // A download of this rank waits two days at most, as the bounds assume.
        candidate.rank = 3
        return candidate
    }

    /// The download as a lane of its own that is due.
    var head: LaneHead {
        var head = LaneHead(
            lane: Int64(download.number), runAt: World.instant(runAt), sessionKey: 1,
            session: "default", originKey: Int64(download.origin),
            schedulingClass: download.isDiscretionary ? .discretionary : .normal, rank: 3,
            origin: GateReading(), sessionGate: GateReading())
        head.originName = World.originName(download.origin)
        head.dueBucket = download.completeBy.map {
            DueBucket.start(of: World.instant($0), at: World.instant(download.created))
        }
        return head
    }

    /// Whether its run goes on in any case: it cannot be continued later, or is almost done.
    var isStuck: Bool {
        isRunning
            && (!download.isResumable
                || RunState.endsSoon(
                    received: Int64(done), of: Int64(download.bytes), speed: Int64(rate / 60)))
    }

    /// Whether its deadline has passed.
    func isLate(at now: Int) -> Bool { download.completeBy.map { $0 <= now } ?? false }
}
