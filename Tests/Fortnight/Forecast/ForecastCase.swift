// One forecast of one download.
import Core

struct ForecastCase {
    /// The download's number.
    let number: Int
    /// The minute at which it was made.
    let madeAt: Int
    /// Seconds to the begin, as it was simulated.
    let range: ForecastRange
    /// Seconds to the next opening that was known.
    let naive: Double
}
