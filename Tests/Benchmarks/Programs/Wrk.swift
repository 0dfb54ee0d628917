// wrk, the load generator: it must cost less than the server that it measures.
import Foundation

/// The results of wrk.
struct WrkResult: Decodable {
    let requests: Int
    let microseconds: Double
    /// Answers other than 2xx and 3xx, and failed connections, reads and writes.
    let bad: Int
    let median: Double
    let p99: Double

    var perSecond: Double { Double(requests) / microseconds * 1_000_000 }
}

/// Requests from one thread.
struct Wrk {
    let plan: Plan
    /// Lua that prepares the request; empty for a plain GET.
    var script = ""

    /// Loads a server; a failed request is an error.
    func run(port: Int, path: String, connections: Int, seconds: Int) throws -> WrkResult {
        let file = plan.path("wrk-\(path.hashValue).lua")
        let done = """
            done = function(s, latency)
              local e = s.errors
              io.write(string.format('BENCH {"requests":%d,"microseconds":%d,"bad":%d,' ..
                '"median":%d,"p99":%d}\\n', s.requests, s.duration,
                e.connect + e.read + e.write + e.status + e.timeout,
                latency:percentile(50), latency:percentile(99)))
            end
            """
        try Data("\(script)\n\(done)\n".utf8).write(to: URL(filePath: file))
        let output = try Command.check(
            "wrk",
            [
                "-t1", "-c\(connections)", "-d\(seconds)s", "--timeout", "30s", "-s", file,
                "http://127.0.0.1:\(port)\(path)",
            ], plan: plan)
        guard let line = output.split(separator: "\n").first(where: { $0.hasPrefix("BENCH ") })
        else { throw BenchmarkError("wrk said \(output)") }
        let result = try JSONDecoder().decode(WrkResult.self, from: Data(line.dropFirst(6).utf8))
        guard result.bad == 0 else { throw BenchmarkError("\(result.bad) requests failed") }
        return result
    }
}
