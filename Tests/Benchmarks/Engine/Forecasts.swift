// The forecast of 100,000 waiting downloads: the time that it takes, and its effect on other
// requests.
import Foundation

enum Forecasts {
    private static let rows = 100_000
    private static let lanes = [1_000, 100_000]

    static func run(_ plan: Plan) throws -> [Comparison] {
        for program in ["psql", "wrk"] { try plan.need(program) }
        var found: [Comparison] = []
        for count in lanes {
            let lull = try LullServer(plan, name: "forecast-\(count)")
            defer { lull.stop() }
            try Backlog(
                lanes: count, each: rows / count, schedulingClass: 2,
                runAt: "now() + interval '1 hour'", bytes: "1000000"
            ).fill(lull, plan)
            let beside = try Rounds(
                plan,
                [
                    ("alone", { _ in try load(lull, plan) }),
                    (
                        "beside forecasts",
                        { _ in
                            let asking = Asking(port: lull.port)
                            defer { asking.stop() }
                            return try load(lull, plan)
                        }
                    ),
                ])
            found.append(
                Comparison(
                    name: "FC \(count) lanes: /livez", unit: "requests/s",
                    peerName: "the same alone", peer: beside["alone"],
                    lull: beside["beside forecasts"], goal: .atLeast(0.8),
                    note: "while forecasts of \(rows) waiting downloads are asked for all the time")
            )
            let times = try Rounds(
                plan, [("forecast", { _ in try forecast(lull, plan) })])
            found.append(
                Comparison(
                    name: "FC \(count) lanes: a forecast", unit: "s", peerName: "1 s",
                    peer: times["forecast"].map { _ in
                        Sample(value: 1, microsecondsEach: 0, foreignProcessors: 0)
                    }, lull: times["forecast"],
                    goal: .below(1),
                    note:
                        "GET /v1/forecast?limit=1 of \(rows) waiting downloads, made anew"
                ))
        }
        return found
    }

    /// A forecast that is computed, not an earlier answer that is repeated.
    private static func forecast(_ lull: LullServer, _ plan: Plan) throws -> Sample {
        // After a forecast the runner rests ten times as long as it took, which is two seconds with
        // very many lanes.
        Thread.sleep(forTimeInterval: 25)
        let (answer, lap) = try Lap.time(servers: [lull.pid]) {
            try HTTPConnection(port: lull.port).exchange("GET", "/v1/forecast?limit=1")
        }
        guard answer.status == 200 else { throw BenchmarkError("forecast: \(answer.status)") }
        let basis = String(decoding: answer.body.prefix(160), as: UTF8.self)
        Report.say("  \(basis)")
        return lap.sample(lap.seconds, count: 1)
    }

    private static func load(_ lull: LullServer, _ plan: Plan) throws -> Sample {
        let (result, lap) = try Lap.time(servers: [lull.pid]) {
            try Wrk(plan: plan).run(
                port: lull.port, path: "/livez", connections: 16, seconds: 10)
        }
        return lap.sample(
            result.perSecond, count: result.requests,
            extras: ["p50_us": result.median, "p99_us": result.p99])
    }

    /// Asks for forecasts until it is stopped.
    private final class Asking: Sendable {
        private let isOver = NSLock()

        init(port: Int) {
            let lock = isOver
            let thread = Thread {
                do {
                    let connection = try HTTPConnection(port: port)
                    while lock.try() {
                        lock.unlock()
                        _ = try connection.exchange("GET", "/v1/forecast?limit=1")
                    }
                } catch {
                    Report.say("  forecasts ended: \(error)")
                }
            }
            thread.start()
        }

        func stop() { isOver.lock() }
    }
}
