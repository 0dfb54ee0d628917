/// The measures of a scheduler, over the downloads that were created in the counted weeks.
struct Score: Sendable {
    let name: String
    /// Percent of the downloads with `complete_by` that were not complete by then.
    let missed: Double
    /// Percent of the bytes of discretionary downloads that came at peak hours.
    let atPeak: Double
    /// The bytes of discretionary downloads times the price of their hour, in EUR for a gigabyte of
    /// a kilowatt hour.
    let cost: Double
    /// Hours until a discretionary download begins, the mean.
    let discretionaryWait: Double
    /// Minutes until another download begins, the mean.
    let normalWait: Double
    /// Minutes until another download begins: 1 % wait longer.
    let normalWaitP99: Double

    init(_ outcome: Outcome) {
        name = outcome.name
        let jobs = outcome.jobs.filter { World.counted.contains($0.download.created) }
        let discretionary = jobs.filter(\.download.isDiscretionary)
        let dated = discretionary.filter { $0.download.completeBy != nil }
        let late = dated.filter { ($0.ended ?? .max) > ($0.download.completeBy ?? .max) }
        missed = 100 * Double(late.count) / Double(max(1, dated.count))
        let bytes = discretionary.reduce(0) { $0 + $1.download.bytes }
        atPeak = 100 * discretionary.reduce(0) { $0 + $1.peakBytes } / max(1, bytes)
        cost = discretionary.reduce(0) { $0 + $1.cost }
        discretionaryWait = Score.mean(discretionary.map(Score.wait)) / 60
        let waits = jobs.filter { !$0.download.isDiscretionary }.map(Score.wait).sorted()
        normalWait = Score.mean(waits)
        normalWaitP99 = waits.isEmpty ? 0 : waits[(waits.count - 1) * 99 / 100]
    }

    /// The minutes between creation and begin.
    private static func wait(_ job: Job) -> Double {
        Double((job.began ?? World.minutes) - job.download.created)
    }

    private static func mean(_ values: [Double]) -> Double {
        values.reduce(0, +) / Double(max(1, values.count))
    }
}
