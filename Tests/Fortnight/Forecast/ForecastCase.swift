// One forecast of one download.
import Scheduling

struct ForecastCase {
    /// The download's number.
    let number: Int
    /// The minute at which the forecast was made.
    let madeAt: Int
    /// The simulated range of seconds until the begin.
    let range: ForecastRange
    /// Seconds until the next known opening.
    let naive: Double
}
