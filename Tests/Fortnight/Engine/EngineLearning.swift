// The facts that the engine has learned in a simulated world, by the code that the service learns
// with.
import Downloads
import Scheduling

/// Learns rates, sizes, the progress of attempts, and the capacity of the link.
struct EngineLearning {
    /// The learned facts.
    private(set) var facts = LearnedFacts()
    private var pace = TransferPace()
    private var detector = SlowLinkDetector()
    /// The downloads that ran while the link was slow.
    private var slowed: Set<Int> = []

    /// Takes the bytes of all transfers in a minute in which no slot was free.
    mutating func observe(total: Double, running: Int, at now: Int) {
        let instant = World.instant(now)
        if now % 60 == 0 {
            facts.add(1, .arrival, to: LearnedKey.hours(of: nil, at: instant), at: instant)
        }
        if running > 0, detector.isSlow(at: instant) {
            facts.add(total / 60, .slowLink, to: LearnedKey.links(at: instant), at: instant)
        }
        guard running >= World.slots else { return }
        facts.add(total / 60, .link, to: LearnedKey.links(at: instant), at: instant)
    }

    /// Takes the rate of each run in the last minute, beside the usual rate of its origin.
    mutating func watch(_ yard: Yard, at now: Int) {
        let instant = World.instant(now)
        let parts = yard.live.filter { yard.jobs[$0].isRunning }.compactMap { number in
            let job = yard.jobs[number]
            return facts.rate(origin: Int64(job.download.origin), at: instant)
                .map { job.rate / 60 / max(1, $0.quantile(0.5)) }
        }
        pace.measure(parts, at: instant)
        facts.pace = pace.factor
    }

    /// Judges whether the link is slow, as the service does once a minute.
    mutating func look(_ yard: Yard, at now: Int) {
        let instant = World.instant(now)
        let runs = yard.running.map { yard.jobs[$0] }.filter { $0.attempt.minutes >= 2 }.map {
            SlowLinkDetector.Run(origin: Int64($0.download.origin), rate: $0.rate / 60)
        }
        detector.observe(runs, facts, at: instant)
        if detector.isSlow(at: instant) { slowed.formUnion(yard.running) }
    }

    /// Takes a download that began for the first time; the service learns from it that one came.
    private mutating func begin(_ job: Job) {
        let created = World.instant(job.download.created)
        facts.add(
            job.download.expected ?? 0, .arrival,
            to: LearnedKey.arrivals(
                of: job.download.isDiscretionary ? .discretionary : .normal, session: 1,
                origin: Int64(job.download.origin), at: created), at: created)
        guard job.download.isDiscretionary else { return }
        facts.add(
            job.download.completeBy.map { Double(60 * ($0 - job.download.created)) }
                ?? LearnedMeasure.noDeadline, .life,
            to: LearnedKey.sizes(session: 1, origin: Int64(job.download.origin)), at: created)
    }

    /// Takes a download whose attempt is over.
    mutating func learn(_ job: Job, at now: Int) {
        let instant = World.instant(now)
        let origin = Int64(job.download.origin)
        let (bytes, minutes, left) = job.attempt
        let wasSlowed = slowed.remove(job.download.number) != nil
        if minutes > 0, bytes > 0 {
            let chain = LearnedKey.rates(origin: origin, quarter: LearnedKey.quarter(of: instant))
            let rate = bytes / minutes / 60
            facts.add(rate, .rate, to: chain, at: instant)
            if wasSlowed { facts.add(rate, .slowRate, to: chain, at: instant) }
        }
        if job.attempts == 1 { begin(job) }
        let isWhole = job.rest < 1
        facts.add(
            isWhole ? 1 : bytes / max(1, left), .progress,
            to: LearnedKey.progress(origin: origin), at: instant)
        guard isWhole else { return }
        facts.add(
            job.download.bytes, .size, to: LearnedKey.sizes(session: 1, origin: origin),
            at: instant)
    }
}
