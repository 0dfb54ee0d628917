// B7: the cheapest request, against an answer of nginx with as many bytes.
import Foundation

enum Liveness {
    private static let seconds = 5

    static func run(_ plan: Plan) throws -> [Comparison] {
        try plan.need("wrk")
        try plan.need("nginx")
        let lull = try LullServer(plan, name: "b7-lull")
        defer { lull.stop() }
        let wanted = try HTTPConnection(port: lull.port).exchange("GET", "/livez")
        let (nginx, bytes) = try peer(plan, wanted: wanted)
        defer { nginx.stop() }
        return try [16, 128, 1000].map { connections in
            func load(_ port: Int, _ path: String) throws -> WrkResult {
                try Wrk(plan: plan).run(
                    port: port, path: path, connections: connections, seconds: seconds)
            }
            func time(_ port: Int, _ path: String, _ pid: Int32) throws -> Sample {
                let (result, lap) = try Lap.time(servers: [pid]) { try load(port, path) }
                return lap.sample(
                    result.perSecond, count: result.requests,
                    extras: ["p50_us": result.median, "p99_us": result.p99])
            }
            let rounds = try Rounds(
                plan,
                [
                    ("nginx", { _ in try time(nginx.port, "/", nginx.pid) }),
                    ("lull", { _ in try time(lull.port, "/livez", lull.pid) }),
                ])
            let name = "B7 \(connections) connections"
            let counts = try Count.each(
                [
                    (
                        "nginx",
                        { plan in
                            let (nginx, _) = try peer(plan, wanted: wanted)
                            defer { nginx.stop() }
                            return try nginx.counted { try load(nginx.port, "/") }.requests
                        }
                    ),
                    (
                        "lull",
                        { plan in
                            let lull = try LullServer(plan, name: "b7-counted", isCounted: false)
                            defer { lull.stop() }
                            return try lull.counted { try load(lull.port, "/livez") }.requests
                        }
                    ),
                ], name: "B7-\(connections)", plan)
            return Comparison(
                name: name, unit: "requests/s", peerName: "nginx",
                peer: rounds["nginx"], lull: rounds["lull"], goal: .atLeast(1.0),
                note: "wrk -t1 -c\(connections) -d\(seconds)s; answers of \(wanted.bytes) bytes, "
                    + "nginx's of \(bytes); one worker, keepalive_requests without end",
                counts: Comparison.Counts(of: "nginx", unit: "request", in: counts))
        }
    }

    /// An nginx whose answer is padded to the size of Lull's.
    private static func peer(
        _ plan: Plan, wanted: HTTPAnswer
    ) throws -> (server: NginxServer, bytes: Int) {
        let body = String(decoding: wanted.body, as: UTF8.self)
            .split(separator: "\n").joined(separator: "\\n")
        var padding = ""
        for round in 0...1 {
            let nginx = try NginxServer(
                plan, name: "b7-nginx-\(round)",
                location: "default_type text/plain; \(padding) return 200 \"\(body)\";")
            let bytes = try HTTPConnection(port: nginx.port).exchange("GET", "/").bytes
            let missing = wanted.bytes - bytes - "X-Pad: \r\n".utf8.count
            if round == 1 || missing < 1 { return (nginx, bytes) }
            nginx.stop()
            padding = "add_header X-Pad \"\(String(repeating: "p", count: missing))\";"
        }
        preconditionFailure("the second round returns")
    }
}
