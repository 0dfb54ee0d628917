// R13: the costliest bodies of each endpoint, with GET /livez beside them.
import Foundation
import Synchronization

enum CostlyBodies {
    private static let answerBytesAtMost = 64 << 10
    private static let memoryBytesAtMost = 16 << 20

    static func run(_ plan: Plan) throws -> [Comparison] {
        let lull = try LullServer(plan, name: "r13-lull")
        defer { lull.stop() }
        let made = try PostRun(
            port: lull.port, path: "/v1/downloads", bodies: [Submissions.body], connections: 1)
        let id = try Created.id(made.answers[0])
        // The first large request grows the memory that is kept for all later ones.
        for request in CostlyRequest.all(id: id) { _ = try flood(request, lull) }
        return try Dictionary(grouping: CostlyRequest.all(id: id), by: \.endpoint)
            .sorted { $0.key < $1.key }.map { try compare($0.key, $0.value, lull, plan) }
    }

    private static func compare(
        _ endpoint: String, _ requests: [CostlyRequest], _ lull: LullServer, _ plan: Plan
    ) throws -> Comparison {
        let rounds = try Rounds(
            plan,
            [
                ("alone", { _ in try alone(lull) }),
                ("flood", { _ in try worst(requests, lull) }),
            ])
        func most(_ name: String) -> Double {
            rounds["flood"].compactMap { $0.extras[name] }.max() ?? 0
        }
        let isMet =
            most("refusal_bytes") < Double(answerBytesAtMost)
            && most("memory_bytes") < Double(memoryBytesAtMost)
        return Comparison(
            name: "R13 \(endpoint)", unit: "most ms", peerName: "nobody else",
            peer: rounds["alone"], lull: rounds["flood"], goal: .below(50),
            note: "GET /livez every ms beside \(requests.count) kinds of bodies of up to 4 MiB, "
                + "p99 \(Report.number(most("p99_ms"))) ms; longest answer took "
                + "\(Report.number(most("answer_ms"))) ms, largest refusal "
                + "\(Int(most("refusal_bytes"))) bytes, at most "
                + "\(Report.number(most("memory_bytes") / 1_048_576)) MiB more in memory: "
                + (isMet ? "within" : "BEYOND") + " 64 KiB and 16 MiB")
    }

    private static func alone(_ lull: LullServer) throws -> Sample {
        let (taken, lap) = try Lap.time(servers: [lull.pid]) {
            try Pulse.measure(port: lull.port) { Thread.sleep(forTimeInterval: 0.5) }
        }
        return lap.sample(taken.last ?? 0, count: taken.count, extras: ["p99_ms": p99(taken)])
    }

    /// The worst of each figure over all kinds of bodies.
    private static func worst(_ requests: [CostlyRequest], _ lull: LullServer) throws -> Sample {
        var extras: [String: Double] = [:]
        var all: [Double] = []
        let (_, lap) = try Lap.time(servers: [lull.pid]) {
            for request in requests {
                let (taken, figures) = try flood(request, lull)
                all += taken
                for (name, value) in figures { extras[name] = max(extras[name] ?? 0, value) }
                Report.say(
                    "    \(request.name): \(figures["status"].map { Int($0) } ?? 0), most "
                        + "\(Report.number(taken.last ?? 0)) ms, answer in "
                        + "\(Report.number(figures["answer_ms"] ?? 0)) ms, "
                        + "\(Int(figures["answer_bytes"] ?? 0)) bytes, memory "
                        + "\(Report.number((figures["memory_bytes"] ?? 0) / 1_048_576)) MiB")
            }
        }
        all.sort()
        extras["p99_ms"] = p99(all)
        extras["status"] = nil
        return lap.sample(all.last ?? 0, count: all.count, extras: extras)
    }

    /// Sends one body and measures the server.
    private static func flood(
        _ request: CostlyRequest, _ lull: LullServer
    ) throws -> ([Double], [String: Double]) {
        let bytes = request.message(port: lull.port)
        let connection = try HTTPConnection(port: lull.port)
        // After this write the peak of resident memory is counted from the present size; see
        // proc(5).
        try Data("5".utf8).write(to: URL(filePath: "/proc/\(lull.pid)/clear_refs"))
        let before = try ProcessFigures(of: lull.pid).peakBytes
        var figures: [String: Double] = [:]
        let taken = try Pulse.measure(port: lull.port) {
            let start = ContinuousClock.now
            try connection.write(bytes)
            var answer: HTTPAnswer?
            while answer == nil { answer = try connection.receive() }
            figures["answer_ms"] = (ContinuousClock.now - start) / .milliseconds(1)
            figures["answer_bytes"] = Double(answer?.body.count ?? 0)
            figures["status"] = Double(answer?.status ?? 0)
            if let answer, answer.status >= 400 {
                figures["refusal_bytes"] = Double(answer.body.count)
            }
        }
        figures["memory_bytes"] = Double(try ProcessFigures(of: lull.pid).peakBytes - before)
        return (taken, figures)
    }

    private static func p99(_ sorted: [Double]) -> Double {
        sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
    }
}

/// `GET /livez` every millisecond on a thread of its own.
private final class Pulse: Sendable {
    private let state = Mutex((isOver: false, hasEnded: false, failure: String?.none))
    private let times = Mutex<[Double]>([])

    /// The milliseconds of each request while a body ran, sorted.
    static func measure(port: Int, _ body: () throws -> Void) throws -> [Double] {
        let pulse = Pulse()
        Thread { pulse.beat(port) }.start()
        defer { pulse.end() }
        try body()
        pulse.end()
        if let failure = pulse.state.withLock({ $0.failure }) { throw BenchmarkError(failure) }
        return pulse.times.withLock { $0.sorted() }
    }

    private func end() {
        state.withLock { $0.isOver = true }
        while !state.withLock({ $0.hasEnded }) { Thread.sleep(forTimeInterval: 0.001) }
    }

    private func beat(_ port: Int) {
        do {
            var connection = try HTTPConnection(port: port)
            _ = try connection.exchange("GET", "/livez")
            while !state.withLock({ $0.isOver }) {
                let start = ContinuousClock.now
                let answer = try connection.exchange("GET", "/livez")
                let took = (ContinuousClock.now - start) / .milliseconds(1)
                times.withLock { $0.append(took) }
                if answer.closes { connection = try HTTPConnection(port: port) }
                Thread.sleep(forTimeInterval: 0.001)
            }
        } catch {
            state.withLock { $0.failure = "\(error)" }
        }
        state.withLock { $0.hasEnded = true }
    }
}
