// B10: 20,000 webhooks to one receiver; B20: the time of each from its event at 1,000 a second.
import Foundation

enum OneReceiver {
    private static let webhooks = 20_000
    private static let each = 100
    private static let perSecond = 1000
    private static let seconds = 10

    static func run(_ plan: Plan) throws -> [Comparison] {
        for program in ["nginx", "psql", "curl"] { try plan.need(program) }
        let rounds = try Rounds(
            plan, [("curl", { try post($0, plan) }), ("lull", { try deliver($0, plan) })])
        var round = plan.pairs
        func counted(_ side: @escaping (Int, Plan) throws -> Sample) -> (Plan) throws -> Int {
            { plan in
                round += 1
                _ = try side(round, plan)
                return webhooks
            }
        }
        let counts = try Count.each(
            [("curl", counted(post)), ("lull", counted(deliver))], name: "B10", plan)
        return [
            Comparison(
                name: "B10", unit: "webhooks/s", peerName: "curl", peer: rounds["curl"],
                lull: rounds["lull"], goal: .atLeast(0.5),
                note: "\(webhooks) webhooks to one receiver, signed and recorded; their events are "
                    + "committed before the receiver is there, and the time is from its first "
                    + "accepted POST until the last is recorded; the peer posts as many bodies of "
                    + "1,800 bytes over one connection; CPU is Lull's and the database's",
                counts: Comparison.Counts(of: "curl", unit: "webhook", in: counts))
        ]
    }

    /// The delay of webhooks while events come at an even rate.
    static func delays(_ plan: Plan) throws -> [Comparison] {
        for program in ["nginx", "psql"] { try plan.need(program) }
        var samples: [[Sample]] = [[], []]
        for round in 0..<plan.pairs {
            let took = try deliverEvenly(round, plan)
            for (place, part) in [50, 99].enumerated() {
                samples[place].append(
                    Sample(
                        value: took[took.count * part / 100], microsecondsEach: 0,
                        foreignProcessors: 0))
            }
        }
        var round = plan.pairs
        let count = try Count.each(
            [
                (
                    "lull",
                    { plan in
                        round += 1
                        return try deliverEvenly(round, plan).count
                    }
                )
            ], name: "B20", plan)["lull"]
        return zip([(50, 20.0), (99, 200.0)], samples).map { goal, found in
            Comparison(
                name: "B20 p\(goal.0)", unit: "ms", peerName: "\(Int(goal.1)) ms",
                peer: found.map { _ in
                    Sample(value: goal.1, microsecondsEach: 0, foreignProcessors: 0)
                }, lull: found, goal: .atMost(1),
                note: "from the time of an event, which is before its commit, to its webhook at "
                    + "the receiver; batches of 10 creates, \(perSecond) events a second for "
                    + "\(seconds) s",
                counts: count.map { Comparison.Counts(unit: "create and webhook", lull: $0) })
        }
    }

    /// Creates at an even rate, each with a webhook.
    ///
    /// - Returns: the milliseconds from each event to its request, in order.
    private static func deliverEvenly(_ round: Int, _ plan: Plan) throws -> [Double] {
        let nginx = try NginxServer(
            plan, name: "b20-nginx-\(round)", location: "return 204;", line: "$msec $http_ce_time")
        defer { nginx.stop() }
        let lull = try server("b20-lull-\(round)", plan)
        defer { lull.stop() }
        let connection = try HTTPConnection(port: lull.port)
        let body = body(of: 10, to: nginx.port)
        try lull.counted {
            let began = ContinuousClock.now
            for number in 0..<(perSecond * seconds / 10) {
                let due = began + .milliseconds(number * 10_000 / perSecond)
                let wait = (due - .now) / .seconds(1)
                if wait > 0 { Thread.sleep(forTimeInterval: wait) }
                try create(body, connection)
            }
            try self.wait(for: perSecond * seconds, lull, plan)
        }
        let took = try milliseconds(plan.path("b20-nginx-\(round)/access.log"))
        guard took.count >= perSecond * seconds else {
            throw BenchmarkError("\(took.count) webhooks are in the log of the receiver")
        }
        return took
    }

    private static func server(_ name: String, _ plan: Plan) throws -> LullServer {
        try LullServer(
            plan, name: name,
            settings: ["LULL_WEBHOOK_DESTINATIONS": "loopback", "LULL_LOG_LEVEL": "error"],
            isCounted: false)
    }

    private static func body(of count: Int, to port: Int) -> String {
        let item =
            #"{"url":"http://127.0.0.1:8081/x","earliest_begin_date":"2036-01-01T00:00:00Z","#
            + #""webhook_url":"http://127.0.0.1:\#(port)/hook","#
            + #""webhook_events":["download.created"]}"#
        return #"{"downloads":[\#(Array(repeating: item, count: count).joined(separator: ","))]}"#
    }

    private static func create(_ body: String, _ connection: HTTPConnection) throws {
        let answer = try connection.exchange("POST", "/v1/downloads/batch", body: body)
        guard answer.status == 201 else { throw BenchmarkError("a batch: \(answer.status)") }
    }

    private static func wait(for count: Int, _ lull: LullServer, _ plan: Plan) throws {
        let end = ContinuousClock.now + .seconds(120)
        while try lull.value("SELECT count(*) FROM deliveries WHERE state = 2", plan: plan)
            < count
        {
            guard .now < end else { throw BenchmarkError("webhooks did not arrive") }
            // Each look reads all deliveries.
            Thread.sleep(forTimeInterval: 0.25)
        }
    }

    /// Delivers the waiting webhooks once the receiver begins to answer.
    private static func deliver(_ round: Int, _ plan: Plan) throws -> Sample {
        let lull = try server("b10-lull-\(round)", plan)
        defer { lull.stop() }
        let port = try FreePort.find()
        // Some webhooks are tried before the receiver is there and wait longer than the others.
        let written = webhooks + each
        let bodies = Array(repeating: body(of: each, to: port), count: written / each)
        _ = try PostRun(
            port: lull.port, path: "/v1/downloads/batch", bodies: bodies, connections: 2)
        let name = "b10-receiver-\(round)"
        let (milliseconds, lap) = try Lap.time(servers: [lull.pid]) {
            let nginx = try NginxServer(
                plan, name: name, location: "return 204;", listening: "127.0.0.1:\(port)")
            defer { nginx.stop() }
            try lull.counted { try wait(for: webhooks, lull, plan) }
            return try lull.value(
                """
                SELECT (extract(epoch FROM (array_agg(d.finished_at ORDER BY d.finished_at))
                        [\(webhooks)] - min(d.finished_at - d.last_ms * interval '1 ms'))
                    * 1000)::bigint
                FROM deliveries d WHERE d.state = 2
                """, plan: plan)
        }
        return lap.sample(Double(webhooks) * 1000 / Double(milliseconds), count: webhooks)
    }

    /// Sends as many POSTs as there are webhooks, one after the other over one connection.
    private static func post(_ round: Int, _ plan: Plan) throws -> Sample {
        let nginx = try NginxServer(plan, name: "b10-nginx-\(round)", location: "return 204;")
        defer { nginx.stop() }
        let body = plan.path("b10-body")
        try Data(repeating: UInt8(ascii: "x"), count: 1800).write(to: URL(filePath: body))
        let (_, lap) = try Lap.time {
            try Command.check(
                "curl",
                [
                    "-sS", "-o", "/dev/null", "--data-binary", "@\(body)",
                    "http://127.0.0.1:\(nginx.port)/hook?[1-\(webhooks)]",
                ], plan: plan)
        }
        return lap.sample(Double(webhooks) / lap.seconds, count: webhooks)
    }

    /// The milliseconds from each event to its request, in order.
    private static func milliseconds(_ log: String) throws -> [Double] {
        let reader = ISO8601DateFormatter()
        reader.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        return lines.compactMap { line -> Double? in
            let parts = line.split(separator: " ")
            guard parts.count == 2, let came = Double(parts[0]),
                let event = reader.date(from: String(parts[1]))
            else { return nil }
            return (came - event.timeIntervalSince1970) * 1000
        }
        .sorted()
    }
}
