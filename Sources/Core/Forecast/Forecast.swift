// The queue run forward, as often as there is time for.

/// A forecast that is being made: pure, in steps, so that who makes it decides how long it takes.
///
/// The rules are asked by the verdict's own code; slots, gates, classes and shares are those of the
/// decision, with downloads of a lane taken together where very many wait.
package struct Forecast: Sendable {
    /// More futures than these say little more.
    package static let seedsAtMost = 32
    /// A future is cut off after so many events.
    private static let eventsAtMost = 4_000_000

    private let input: ForecastInput
    private let field: ForecastField
    private var seed: ForecastSeed
    private var begins: [[[ForecastSeed.Begin]]] = []
    private var unknown: Set<Int> = []
    private var isCut = false

    /// Prepares it.
    package init(_ input: ForecastInput) {
        self.input = input
        field = ForecastField(input)
        seed = ForecastSeed(field, openings: ForecastOpenings(input.situation), seed: 0)
    }

    /// How many futures are whole.
    package var seeds: Int { begins.count }

    /// Goes on for a number of events.
    ///
    /// - Returns: whether nothing is left to do.
    package mutating func step(_ events: Int) -> Bool {
        guard begins.count < Forecast.seedsAtMost else { return true }
        let isOver = seed.step(events)
        guard isOver || seed.events >= Forecast.eventsAtMost else { return false }
        isCut = isCut || !isOver
        begins.append(seed.begins)
        if begins.count == 1 { unknown = seed.unknown }
        // Nothing that waits comes otherwise a second time.
        guard !input.lanes.isEmpty, begins.count < Forecast.seedsAtMost, !isCut else {
            return true
        }
        seed = ForecastSeed(field, openings: seed.knownOpenings, seed: begins.count)
        return false
    }

    /// What was found; nil before the first future is whole.
    package var outlook: ForecastOutlook? {
        guard !begins.isEmpty else { return nil }
        return ForecastOutlook(
            input, begins: begins, unknown: unknown, isWhole: input.isWhole && !isCut)
    }
}
