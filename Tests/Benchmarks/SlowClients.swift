// R11: a client that behaves well, alone and beside thousands that do not.
import Foundation

enum SlowClients {
    private static let count = 5000
    private static let bytes = 16 << 20
    /// The memory that a slow client may cost the server; the kernel's share that no process shows
    /// is left out.
    private static let bytesEach = 24 << 10

    static func run(_ plan: Plan) throws -> [Comparison] {
        try plan.need("nginx")
        try FileLimit.raise(to: count * 2)
        let files = try plan.makeFolder("r11-origin")
        try Data(count: bytes).write(to: URL(filePath: "\(files)/file.bin"))
        let origin = try NginxServer(plan, name: "r11-nginx", location: "root \(files);")
        defer { origin.stop() }
        let lull = try LullServer(plan, name: "r11-lull")
        defer { lull.stop() }
        let run = try PostRun(
            port: lull.port, path: "/v1/downloads",
            bodies: [#"{"url":"http://127.0.0.1:\#(origin.port)/file.bin"}"#], connections: 1)
        let path = "/v1/downloads/" + (try lull.end(of: try Created.id(run.answers[0])).id)
        let rounds = try Rounds(
            plan,
            [
                ("alone", { _ in try measure(path, lull, seconds: 5) }),
                ("crowd", { _ in try crowded(path, lull) }),
            ])
        return [
            Comparison(
                name: "R11", unit: "p99 ms", peerName: "nobody else", peer: rounds["alone"],
                lull: rounds["crowd"], goal: .below(50),
                note: "GET of a download every 5 ms beside \(count) clients: a third sends a head, "
                    + "a third a body, a byte in 9 s, a third reads content, 512 bytes in 9 s; "
                    + "every answer is right, memory grows by less than \(bytesEach >> 10) KiB a "
                    + "client, descriptors return; CPU each is per request of the good client, "
                    + "crowd included")
        ]
    }

    private static func crowded(_ path: String, _ lull: LullServer) throws -> Sample {
        let memory = try residentBytes(lull.pid)
        let descriptors = try openFiles(lull.pid)
        let crowd = try Crowd(port: lull.port, content: path + "/content", count: count)
        var sample: Sample
        do {
            // The time is long enough for heads to be given up and to come again.
            sample = try measure(path, lull, seconds: 15)
        } catch {
            crowd.leave()
            throw error
        }
        let growth = try residentBytes(lull.pid) - memory
        let held = try openFiles(lull.pid)
        crowd.leave()
        sample.extras["rss_growth_kib"] = Double(growth >> 10)
        sample.extras["descriptors"] = Double(held)
        sample.extras["ended_by_server"] = Double(crowd.endings)
        guard held >= descriptors + count * 9 / 10 else {
            throw BenchmarkError("only \(held - descriptors) descriptors for \(count) clients")
        }
        guard growth < count * bytesEach else {
            throw BenchmarkError("\(growth) bytes more in memory for \(count) clients")
        }
        for _ in 0..<500 where try openFiles(lull.pid) > descriptors + 16 {
            Thread.sleep(forTimeInterval: 0.02)
        }
        guard try openFiles(lull.pid) <= descriptors + 16 else {
            throw BenchmarkError("descriptors do not return after the crowd")
        }
        return sample
    }

    /// One request every 5 ms by the clock, whether or not answers have come.
    private static func measure(_ path: String, _ lull: LullServer, seconds: Int) throws -> Sample {
        let id = String(path.split(separator: "/")[2])
        var connection = try HTTPConnection(port: lull.port)
        var taken: [Double] = []
        let (_, lap) = try Lap.time(servers: [lull.pid]) {
            let start = ContinuousClock.now
            for number in 0..<(seconds * 200) {
                let due = start + .milliseconds(5 * number)
                let early = (due - .now) / .seconds(1)
                if early > 0 { Thread.sleep(forTimeInterval: early) }
                let began = ContinuousClock.now
                let answer = try connection.exchange("GET", path)
                taken.append((ContinuousClock.now - began) / .milliseconds(1))
                guard answer.status == 200, try Created.id(answer.body) == id else {
                    throw BenchmarkError("a good client was answered \(answer.status)")
                }
                if answer.closes { connection = try HTTPConnection(port: lull.port) }
            }
        }
        taken.sort()
        return lap.sample(
            taken[taken.count * 99 / 100], count: taken.count,
            extras: ["p50_ms": taken[taken.count / 2], "most_ms": taken[taken.count - 1]])
    }

    private static func residentBytes(_ pid: Int32) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8)
        guard let pages = Int(text.split(separator: " ")[1]) else {
            throw BenchmarkError("statm says \(text)")
        }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static func openFiles(_ pid: Int32) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count
    }
}
