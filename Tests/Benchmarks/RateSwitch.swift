// B12: a limit over many downloads, switched at run time, against the number that was asked for.
import Foundation

enum RateSwitch {
    private static let downloads = 50
    private static let bytes = 64 << 20
    private static let window = 10.0

    static func run(_ plan: Plan) throws -> [Comparison] {
        try plan.need("nginx")
        let files = try plan.makeFolder("b12-origin")
        try Command.check(
            "sh", ["-c", "head -c \(bytes) /dev/zero > '\(files)/big.bin'"], plan: plan)
        let origin = try NginxServer(plan, name: "b12-nginx", location: "root \(files);")
        defer { origin.stop() }
        let lull = try LullServer(
            plan, name: "b12-lull",
            settings: ["LULL_PER_ORIGIN": "\(downloads)", "LULL_BANDWIDTH": "20MB"])
        defer { lull.stop() }
        let url = "http://127.0.0.1:\(origin.port)/big.bin"
        let bodies = (0..<downloads).map { #"{"url":"\#(url)?\#($0)"}"# }
        _ = try PostRun(port: lull.port, path: "/v1/downloads", bodies: bodies, connections: 4)
        Thread.sleep(forTimeInterval: 2)
        var comparisons: [Comparison] = []
        for rate in [20_000_000, 5_000_000, 20_000_000] {
            _ = try HTTPConnection(port: lull.port).exchange(
                "PUT", "/v1/policy", body: #"{"bandwidth":"\#(rate)"}"#)
            Thread.sleep(forTimeInterval: 1)
            let before = try received(lull)
            let (_, lap) = try Lap.time(servers: [lull.pid]) {
                Thread.sleep(forTimeInterval: window)
            }
            let measured = Double(try received(lull) - before) / lap.seconds
            let error = (measured / Double(rate) - 1) * 100
            Report.say("  \(rate): \(measured), \(error) %")
            comparisons.append(
                Comparison(
                    name: "B12 \(rate / 1_000_000) MB/s", unit: "B/s", peerName: "asked",
                    peer: [lap.sample(Double(rate), count: 1)],
                    lull: [lap.sample(measured, count: 1)], goal: .none,
                    note: "\(downloads) downloads, over \(Int(window)) s, switched by PUT policy; "
                        + "error \(error) %, goal within 2 %"))
        }
        return comparisons
    }

    /// Bytes of all downloads as the API tells them.
    private static func received(_ lull: LullServer) throws -> Int {
        struct Page: Decodable {
            struct Item: Decodable { let count_of_bytes_received: Int }
            let data: [Item]
        }
        let answer = try HTTPConnection(port: lull.port).exchange(
            "GET", "/v1/downloads?limit=100")
        return try answer.json(Page.self).data.reduce(0) { $0 + $1.count_of_bytes_received }
    }
}
