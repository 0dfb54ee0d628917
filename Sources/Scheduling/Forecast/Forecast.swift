// Simulates the queue into the future, as often as there is time.

/// A forecast in progress: pure, in steps, so that the caller decides how much time it takes.
///
/// The policy is judged by the code that schedules downloads; slots, gates, classes and shares
/// follow its rules, and downloads of a lane are simulated in groups where very many wait.
package struct Forecast: Sendable {
    /// The most futures that are simulated; further ones add little.
    package static let seedsAtMost = 32
    /// A future is cut off after this number of events.
    private static let eventsAtMost = 4_000_000

    private let input: ForecastInput
    private let model: ForecastModel
    private var future: ForecastFuture
    private var begins: [[[ForecastFuture.Begin]]] = []
    private var unknown: Set<Int> = []
    private var isCut = false

    /// Prepares a forecast.
    package init(_ input: ForecastInput) {
        self.input = input
        model = ForecastModel(input)
        future = ForecastFuture(model, openings: ForecastOpenings(input.situation), seed: 0)
    }

    /// The number of complete futures.
    package var seeds: Int { begins.count }

    /// Simulates a number of events.
    ///
    /// - Returns: whether nothing is left to do.
    package mutating func step(_ events: Int) -> Bool {
        guard begins.count < Forecast.seedsAtMost else { return true }
        let isOver = future.step(events)
        guard isOver || future.events >= Forecast.eventsAtMost else { return false }
        isCut = isCut || !isOver
        begins.append(future.begins)
        if begins.count == 1 { unknown = future.unknown }
        // Without waiting downloads, or after all futures, the forecast is done.
        guard !input.lanes.isEmpty, begins.count < Forecast.seedsAtMost, !isCut else {
            return true
        }
        future = ForecastFuture(model, openings: future.knownOpenings, seed: begins.count)
        return false
    }

    /// The result; nil before the first future is complete.
    package var outlook: ForecastOutlook? {
        guard !begins.isEmpty else { return nil }
        return ForecastOutlook(
            input, begins: begins, unknown: unknown, isWhole: input.isWhole && !isCut)
    }
}
