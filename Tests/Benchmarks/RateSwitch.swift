// B12: a limit over many downloads, switched at run time, against the number that was asked for.
import Foundation

enum RateSwitch {
    private static let downloads = 50
    private static let bytes = 64 << 20
    private static let window = 10.0

    static func run(_ plan: Plan) throws -> [Comparison] {
        for program in ["nginx", "ss"] { try plan.need(program) }
        let files = try plan.makeFolder("b12-origin")
        try Command.check(
            "sh", ["-c", "head -c \(bytes) /dev/zero > '\(files)/big.bin'"], plan: plan)
        let origin = try NginxServer(plan, name: "b12-nginx", location: "root \(files);")
        defer { origin.stop() }
        let lull = try LullServer(
            plan, name: "b12-lull",
            settings: ["LULL_MAX_RUNNING_PER_ORIGIN": "\(downloads)", "LULL_BANDWIDTH": "20MB"])
        defer { lull.stop() }
        let url = "http://127.0.0.1:\(origin.port)/big.bin"
        let bodies = (0..<downloads).map { #"{"url":"\#(url)?\#($0)"}"# }
        _ = try PostRun(port: lull.port, path: "/v1/downloads", bodies: bodies, connections: 4)
        for _ in 0..<500 where try lull.metric("lull_transfers_running") < downloads {
            Thread.sleep(forTimeInterval: 0.02)
        }
        return try [20_000_000, 5_000_000, 20_000_000].map { rate in
            let answer = try HTTPConnection(port: lull.port).exchange(
                "PUT", "/v1/policy", body: #"{"bandwidth":"\#(rate)"}"#)
            guard answer.status == 200 else {
                throw BenchmarkError("PUT /v1/policy answered \(answer.status)")
            }
            return try measure(rate, lull, origin, plan)
        }
    }

    /// A window at one rate, by Lull's counter and by the kernel's count of bytes read.
    private static func measure(
        _ rate: Int, _ lull: LullServer, _ origin: NginxServer, _ plan: Plan
    ) throws -> Comparison {
        Thread.sleep(forTimeInterval: 1)
        let sockets = try SocketReads(of: origin.port, plan)
        let counted = try lull.metric("lull_received_bytes_total")
        let (_, lap) = try Lap.time(servers: [lull.pid]) {
            Thread.sleep(forTimeInterval: window)
        }
        let measured = Double(try lull.metric("lull_received_bytes_total") - counted) / lap.seconds
        let parts = try SocketReads(of: origin.port, plan).since(sockets).sorted()
        guard parts.count == downloads, let least = parts.first, let most = parts.last else {
            throw BenchmarkError("\(parts.count) of \(downloads) connections lived through it")
        }
        let read = Double(parts.reduce(0, +)) / lap.seconds
        let sample = lap.sample(
            measured, count: 1,
            extras: [
                "error_percent": (measured / Double(rate) - 1) * 100,
                "socket_error_percent": (read / Double(rate) - 1) * 100,
                "most_over_least": Double(most) / Double(max(1, least)),
            ])
        Report.say("  \(rate): \(Report.line(sample))")
        return Comparison(
            name: "B12 \(rate / 1_000_000) MB/s", unit: "B/s", peerName: "asked",
            peer: [lap.sample(Double(rate), count: 1)], lull: [sample], goal: .within(0.02),
            note: "\(downloads) downloads, over \(Int(window)) s from 1 s after PUT policy, by "
                + "lull_received_bytes_total; shares and a second opinion by ss, what the kernel "
                + "received less what was not read; CPU is of the whole window")
    }
}

/// Bytes that were read from each connection to a port; see ss(8).
private struct SocketReads {
    private var bytes: [String: Int] = [:]

    init(of port: Int, _ plan: Plan) throws {
        let text = try Command.check(
            "ss", ["-tinH", "state", "established", "dst", "127.0.0.1:\(port)"], plan: plan)
        var local: (name: String, unread: Int)?
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if line.first != "\t", words.count >= 4, let unread = Int(words[0]) {
                local = (String(words[2]), unread)
            }
            let mark = "bytes_received:"
            if let word = words.first(where: { $0.hasPrefix(mark) }), let local,
                let received = Int(word.dropFirst(mark.count))
            {
                bytes[local.name] = received - local.unread
            }
        }
    }

    /// The bytes of each connection since an earlier reading that has it.
    func since(_ before: SocketReads) -> [Int] {
        bytes.compactMap { name, count in before.bytes[name].map { count - $0 } }
    }
}
