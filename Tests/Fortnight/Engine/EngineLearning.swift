// What the engine has learned in a simulated world, by the code that the service learns with.
import Core

/// Rates and sizes.
struct EngineLearning {
    /// What is known.
    private(set) var facts = LearnedFacts()

    /// A rate in bytes a minute that no limit of ours held back.
    mutating func observe(origin: Int, rate: Double, at now: Int) {
        // One sample for each transfer in ten minutes is enough.
        guard now % 10 == 0 else { return }
        let instant = World.instant(now)
        facts.add(
            rate / 60, .rate,
            to: LearnedKey.rates(
                origin: Int64(origin), quarter: LearnedKey.quarter(of: instant)), at: instant)
    }

    /// The size of a download that has ended.
    mutating func learn(_ job: Job, at now: Int) {
        facts.add(
            job.download.bytes, .size,
            to: LearnedKey.sizes(session: 1, origin: Int64(job.download.origin)),
            at: World.instant(now))
    }
}
