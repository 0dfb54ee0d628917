// The metrics that operators' tools scrape.
import Testing

@testable import API

@Suite struct MetricTests {
    @Test func metricsHaveThePrometheusTextFormat() {
        let family = Metric(
            "lull_trials_total", "Trials.", kind: .counter,
            samples: [.init(3), .init(4, labels: [("outcome", "good"), ("by", "me")])])
        #expect(
            family.text == """
                # HELP lull_trials_total Trials.
                # TYPE lull_trials_total counter
                lull_trials_total 3
                lull_trials_total{outcome="good",by="me"} 4

                """)
    }

    @Test func metricsHaveTheVersionAndTheProgramsFamilies() async throws {
        var world = try APIWorld.alone()
        var dependencies = world.dependencies
        dependencies.metrics = { [.gauge("lull_things", "Things.", 7)] }
        let router = Router(dependencies)
        world.handler = { router.answer($0) }
        let reply = await world.send("GET", "/metrics")
        #expect(reply.status == 200)
        #expect(reply["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(reply["Cache-Control"] == "no-store")
        #expect(
            reply.text.hasPrefix(
                """
                # HELP lull_build_info The program; always 1.
                # TYPE lull_build_info gauge
                lull_build_info{version="1.2.3"} 1
                # HELP lull_things Things.
                # TYPE lull_things gauge
                lull_things 7
                # HELP lull_http_request_duration_seconds 
                """))
    }

    @Test func aHistogramHasAllThatIsBelowEachBound() {
        let family = Metric(
            "lull_trial_seconds", "Trials.", kind: .histogram,
            samples: Metric.histogram(
                [2, 0, 3], bounds: ["0.5", "1.0"], sum: 7.25, labels: [("of", "me")]))
        #expect(
            family.text == """
                # HELP lull_trial_seconds Trials.
                # TYPE lull_trial_seconds histogram
                lull_trial_seconds_bucket{of="me",le="0.5"} 2
                lull_trial_seconds_bucket{of="me",le="1.0"} 2
                lull_trial_seconds_bucket{of="me",le="+Inf"} 5
                lull_trial_seconds_sum{of="me"} 7.25
                lull_trial_seconds_count{of="me"} 5

                """)
    }

    /// The path itself is no label, because clients choose it.
    @Test func requestsAreTimedByRouteAndStatus() async throws {
        var world = try APIWorld.alone()
        let router = Router(world.dependencies)
        world.handler = { router.answer($0) }
        for (method, path) in [
            ("GET", "/livez"), ("HEAD", "/livez"), ("GET", "/problems/not-found"),
            ("GET", "/problems/there-is-none"), ("GET", "/nothing-here"), ("DELETE", "/livez"),
            ("GET", "/livez?a=1"),
        ] {
            _ = await world.send(method, path)
        }
        let text = await world.send("GET", "/metrics").text
        for (labels, count) in [
            (#"method="GET",route="/livez",status="200""#, 2),
            (#"method="GET",route="/livez",status="422""#, 1),
            (#"method="GET",route="/problems/{slug}",status="200""#, 1),
            (#"method="GET",route="/problems/{slug}",status="404""#, 1),
            (#"method="",route="",status="404""#, 1), (#"method="",route="",status="405""#, 1),
        ] {
            let line = "lull_http_request_duration_seconds_count{\(labels)} \(count)\n"
            #expect(text.contains(line), "\(line) in \(text)")
        }
        #expect(!text.contains("nothing-here") && !text.contains("there-is-none"))
    }

    @Test func anAnswerIsInTheBucketOfItsTime() throws {
        let times = RouteTimes()
        let now = RouteTimes.clock
        times.count(200, since: now + 1_000_000_000)
        times.count(200, since: now - 3_000_000_000)
        times.count(200, since: now - 60_000_000_000)
        times.count(503, since: now)
        let series = times.all
        #expect(series.map(\.status) == [200, 503])
        let first = try #require(series.first)
        // A clock that seems to go back counts as no time; the other values are in the last bucket
        // but one and in the last.
        #expect(first.counts[0] == 1 && first.counts.last == 1)
        #expect(first.counts.reduce(0, +) == 3 && first.microseconds >= 63_000_000)
    }
}
