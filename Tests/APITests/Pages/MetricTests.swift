// Numbers for operators' tools.
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
            reply.text == """
                # HELP lull_build_info The program; always 1.
                # TYPE lull_build_info gauge
                lull_build_info{version="1.2.3"} 1
                # HELP lull_things Things.
                # TYPE lull_things gauge
                lull_things 7

                """)
    }
}
