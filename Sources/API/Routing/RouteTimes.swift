// The durations of a route's answers, by status.
internal import Platform
internal import Synchronization

/// Counts the answers of a route in a histogram for each status.
///
/// A request costs two readings of the clock and one lock that is hardly ever contended, because
/// routes share nothing and a route has few statuses.
final class RouteTimes: Sendable {
    /// The answers with one status.
    struct Series: Sendable {
        let status: Int
        /// A count for each bound, and one for longer answers.
        var counts: [Int64]
        var microseconds: Int64
    }

    /// Upper bounds in microseconds: OpenTelemetry's for servers, and three below them.
    static let bounds: [Int64] = [
        500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
        2_500_000, 5_000_000, 10_000_000,
    ]
    private static let boundTexts = bounds.map { "\(Double($0) / 1_000_000)" }

    private let series = Mutex<[Series]>([])

    /// Creates it without answers.
    init() {}

    /// The clock by which answers are timed, in nanoseconds.
    static var clock: Int64 { SystemClock.bootNanoseconds() }

    /// Counts the answer to a request that began at an instant of `clock`.
    func count(_ status: Int, since began: Int64) {
        let microseconds = max(0, RouteTimes.clock - began) / 1000
        let bucket = RouteTimes.bounds.firstIndex { microseconds <= $0 } ?? RouteTimes.bounds.count
        series.withLock { series in
            if let place = series.firstIndex(where: { $0.status == status }) {
                series[place].counts[bucket] += 1
                series[place].microseconds += microseconds
                return
            }
            var fresh = Series(
                status: status,
                counts: [Int64](repeating: 0, count: RouteTimes.bounds.count + 1),
                microseconds: microseconds)
            fresh.counts[bucket] = 1
            series.append(fresh)
        }
    }

    /// The counts by status.
    var all: [Series] { series.withLock { $0.sorted { $0.status < $1.status } } }

    /// The histograms as samples.
    func samples(method: String, route: String) -> [Metric.Sample] {
        all.flatMap { series in
            Metric.histogram(
                series.counts, bounds: RouteTimes.boundTexts,
                sum: Double(series.microseconds) / 1_000_000,
                labels: [("method", method), ("route", route), ("status", "\(series.status)")])
        }
    }
}

/// The durations of all routes of a router, for `GET /metrics`, which is one of them.
final class RequestTimes: Sendable {
    private let routes = Mutex<[Route]>([])
    /// Answers to requests without a route: unknown paths and methods, no key, bytes that are no
    /// request.
    let unrouted = RouteTimes()

    /// Creates it without routes.
    init() {}

    /// Takes the routes of the router.
    func take(_ routes: [Route]) { self.routes.withLock { $0 = routes } }

    /// All counts as a metric.
    var metric: Metric {
        let routes = routes.withLock { $0 }
        let samples = routes.flatMap { $0.times.samples(method: $0.method, route: $0.path) }
        return Metric(
            "lull_http_request_duration_seconds",
            "Time from a complete request to its answer, or to the head of a streamed answer.",
            kind: .histogram, samples: samples + unrouted.samples(method: "", route: ""))
    }
}
