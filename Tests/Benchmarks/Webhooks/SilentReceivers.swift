// B15: webhooks to 1,000 receivers of which 20 never answer, against 1,000 that all answer.
import Foundation

enum SilentReceivers {
    private static let receivers = 1000
    private static let silent = 20
    private static let each = 10
    /// The ports on which nginx listens.
    private static let ports = 21_000..<22_000

    static func run(_ plan: Plan) throws -> [Comparison] {
        for program in ["nginx", "psql"] { try plan.need(program) }
        try FileLimit.raise(to: 8192)
        let nginx = try NginxServer(
            plan, name: "b15-nginx", location: "return 204;",
            listening: "127.0.0.1:\(ports.lowerBound)-\(ports.upperBound - 1)")
        defer { nginx.stop() }
        let deaf = try (0..<silent).map { _ in try DeafReceiver() }
        defer { for receiver in deaf { receiver.close() } }
        let answering = ports.map { "http://127.0.0.1:\($0)/hook" }
        let mixed = deaf.map { "http://127.0.0.1:\($0.port)/hook" } + answering.dropFirst(silent)
        let rounds = try Rounds(
            plan,
            [
                ("all answer", { try deliver(answering, $0, silent: 0, plan) }),
                ("lull", { try deliver(mixed, $0, silent: silent, plan) }),
            ])
        return [
            Comparison(
                name: "B15", unit: "webhooks/s", peerName: "all answer",
                peer: rounds["all answer"], lull: rounds["lull"], goal: .atLeast(0.9),
                note: "\(each) webhooks to each of \(receivers) receivers, of which \(silent) take "
                    + "connections and never answer; from the last create until those that answer "
                    + "have all of theirs; CPU is Lull's and the database's")
        ]
    }

    /// Writes the webhooks while the outbox sends them, and waits for those that can arrive.
    private static func deliver(
        _ urls: [String], _ round: Int, silent: Int, _ plan: Plan
    ) throws -> Sample {
        let lull = try LullServer(
            plan, name: "b15-lull-\(silent)-\(round)",
            settings: ["LULL_WEBHOOK_DESTINATIONS": "loopback", "LULL_LOG_LEVEL": "error"])
        defer { lull.stop() }
        let bodies = (0..<each).map { _ in
            let items = urls.map {
                #"{"url":"http://127.0.0.1:8081/x","earliest_begin_date":"2036-01-01T00:00:00Z","#
                    + #""webhook_url":"\#($0)","webhook_events":["download.created"]}"#
            }
            return #"{"downloads":[\#(items.joined(separator: ","))]}"#
        }
        let expected = (urls.count - silent) * each
        let before = try DatabaseShare(of: lull, plan)
        let (_, lap) = try Lap.time(servers: [lull.pid]) {
            _ = try PostRun(
                port: lull.port, path: "/v1/downloads/batch", bodies: bodies, connections: 2)
            let end = ContinuousClock.now + .seconds(120)
            while try lull.value("SELECT count(*) FROM deliveries WHERE state = 2", plan: plan)
                < expected
            {
                guard .now < end else { throw BenchmarkError("webhooks did not arrive") }
                Thread.sleep(forTimeInterval: 0.02)
            }
        }
        let share = try DatabaseShare(of: lull, plan).each(of: expected, since: before)
        return lap.sample(Double(expected) / lap.seconds, count: expected, extras: share)
    }
}

/// A receiver whose connections the kernel accepts and no program answers.
private struct DeafReceiver {
    let port: Int
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = descriptor
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> Int32 in
                guard unsafe bind(number, pointer, length) == 0, listen(number, 1024) == 0 else {
                    return -1
                }
                return unsafe getsockname(number, pointer, &length)
            }
        }
        guard result == 0 else { throw BenchmarkError("no socket for a silent receiver") }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    func close() { _ = Foundation.close(descriptor) }
}
