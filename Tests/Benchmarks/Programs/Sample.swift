// One measured run, and the median of many.

/// One run of one side.
struct Sample: Codable {
    /// The compared value, in the comparison's unit.
    let value: Double
    /// Processor time of this side for one file, job or request, in microseconds.
    let microsecondsEach: Double
    /// Processors that neither side used meanwhile, on average.
    let foreignProcessors: Double
    /// Other measured values, with their unit in the name.
    var extras: [String: Double] = [:]
}

/// The measurements of a stopwatch.
struct Lap {
    let seconds: Double
    let cpuSeconds: Double
    let foreignProcessors: Double

    /// Measures a body and the processor time of servers; without servers, that of the commands
    /// which the body runs.
    static func time<Value>(
        servers: [Int32] = [], _ body: () throws -> Value
    ) throws -> (value: Value, lap: Lap) {
        let before = try ProcessorTime(servers: servers)
        let value = try body()
        let after = try ProcessorTime(servers: servers)
        let seconds = (after.instant - before.instant) / .seconds(1)
        let foreign = (after.machine - before.machine) - (after.own - before.own)
        let lap = Lap(
            seconds: seconds, cpuSeconds: after.measured - before.measured,
            foreignProcessors: max(0, foreign) / seconds)
        return (value, lap)
    }

    /// A sample of something that was done `count` times in this lap.
    func sample(_ value: Double, count: Int, extras: [String: Double] = [:]) -> Sample {
        Sample(
            value: value, microsecondsEach: cpuSeconds * 1_000_000 / Double(count),
            foreignProcessors: foreignProcessors, extras: extras)
    }
}

/// The median with the extremes.
struct Spread: Encodable {
    let median: Double
    let least: Double
    let most: Double

    init(_ values: [Double]) {
        precondition(!values.isEmpty, "something was measured")
        let sorted = values.sorted()
        let middle = sorted.count / 2
        median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        least = sorted[0]
        most = sorted[sorted.count - 1]
    }
}
