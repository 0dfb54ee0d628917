// The work of two builds: only through the API, so that their schemas may differ.
import Foundation

/// Work for a running server.
struct Workload: Sendable {
    /// The amount of work.
    enum Scale: Sendable {
        /// A full workload, for measuring time.
        case whole
        /// A small workload, for counting under an instrument that slows it down.
        case small
    }

    /// The name on the command line.
    let name: String
    /// The unit of the work.
    let unit: String
    /// Settings under the names that `Build` knows.
    let settings: [String: Int]
    /// The programs that the workload needs.
    let needs: [String]
    /// Prepares the work and returns it; the work returns the number of units that it did.
    let prepare: @Sendable (Plan, LullServer, Origin, Scale) throws -> () throws -> Int
    /// The use of the new build that is allowed, as a part of the old one's.
    var goals: [Measure: Double] = [:]

    static let all = [files, largeFile, creates, reads, liveness]

    private static let files = Workload(
        name: "B1", unit: "file of 10 KiB", settings: ["running": 128, "per_origin": 128],
        needs: ["nginx", "psql"],
        prepare: { plan, server, origin, scale in
            let count = scale == .whole ? Origin.count : Origin.count / 5
            let bodies = stride(from: 0, to: count, by: 1000).map { first in
                let items = origin.urls[first..<min(first + 1000, count)]
                    .map { #"{"url":"\#($0)"}"# }
                return #"{"downloads":[\#(items.joined(separator: ","))]}"#
            }
            return {
                let run = try PostRun(
                    port: server.port, path: "/v1/downloads/batch", bodies: bodies, connections: 1)
                let ids = try run.answers.flatMap { try Created.ids($0) }
                for id in ids.suffix(64) { _ = try server.end(of: id) }
                while try !server.isIdle() { Thread.sleep(forTimeInterval: 0.01) }
                try origin.check(below: "\(server.data)/content", count: count)
                return count
            }
        }, goals: [.ownTime: 0.6, .allocations: 0.4, .log: 0.6])

    private static let largeFile = Workload(
        name: "B2", unit: "GiB in one file", settings: [:], needs: ["nginx", "psql"],
        prepare: { _, server, origin, _ in
            let body = #"{"url":"\#(origin.largeURL)"}"#
            return {
                let run = try PostRun(
                    port: server.port, path: "/v1/downloads", bodies: [body], connections: 1)
                let download = try server.end(of: try Created.id(run.answers[0]))
                guard download.content?.length == Int64(Origin.largeBytes) else {
                    throw BenchmarkError("the large file has the wrong length")
                }
                return Origin.largeBytes >> 30
            }
        })

    private static let creates = Workload(
        name: "B5", unit: "create", settings: [:], needs: ["wrk", "psql"],
        prepare: { plan, server, _, scale in
            let script = """
                wrk.method = "POST"
                wrk.headers["Content-Type"] = "application/json"
                wrk.body = '\(Submissions.body)'
                """
            // The first create makes the rows that all others share.
            _ = try PostRun(
                port: server.port, path: "/v1/downloads", bodies: [Submissions.body],
                connections: 1)
            return {
                try Wrk(plan: plan, script: script).run(
                    port: server.port, path: "/v1/downloads", connections: 64,
                    seconds: scale == .whole ? 8 : 3
                ).requests
            }
        }, goals: [.ownTime: 0.7])

    private static let reads = Workload(
        name: "B6", unit: "read", settings: [:], needs: ["wrk", "psql"],
        prepare: { plan, server, _, scale in
            let rows = scale == .whole ? 10_000 : 1_000
            let run = try PostRun(
                port: server.port, path: "/v1/downloads",
                bodies: Array(repeating: Submissions.body, count: rows), connections: 64)
            let script = Lookups.requests(for: try run.answers.map(Created.id))
            return {
                try Wrk(plan: plan, script: script).run(
                    port: server.port, path: "/", connections: 128,
                    seconds: scale == .whole ? 8 : 3
                ).requests
            }
        }, goals: [.ownTime: 0.5])

    private static let liveness = Workload(
        name: "B7", unit: "GET /livez", settings: [:], needs: ["wrk", "psql"],
        prepare: { plan, server, _, scale in
            {
                try Wrk(plan: plan).run(
                    port: server.port, path: "/livez", connections: 128,
                    seconds: scale == .whole ? 5 : 2
                ).requests
            }
        })
}

/// The files that are downloaded, and the server that gives them.
final class Origin {
    static let count = 10_000
    private static let bytes = 10_240
    /// The size of the large file in bytes.
    static let largeBytes = 1 << 30
    let urls: [String]
    /// The URL of the large file, if a workload asks for it.
    let largeURL: String
    private let server: NginxServer?

    /// Makes the files and starts nginx; does neither if no workload asks for it.
    init(_ plan: Plan, small: Bool, large: Bool) throws {
        guard small || large else {
            urls = []
            largeURL = ""
            server = nil
            return
        }
        let folder = try plan.makeFolder("origin")
        if large {
            try Command.check(
                "sh", ["-c", "head -c \(Self.largeBytes) /dev/urandom > '\(folder)/large'"],
                plan: plan)
        }
        for number in 0..<(small ? Self.count : 0) {
            // Each file has bytes of its own.
            let line = "file \(number)\n"
            let text = String(repeating: line, count: Self.bytes / line.utf8.count + 1)
            let content = Data(text.utf8.prefix(Self.bytes))
            try content.write(to: URL(filePath: "\(folder)/f\(number)"))
        }
        let nginx = try NginxServer(plan, name: "nginx", location: "root \(folder);")
        server = nginx
        urls = (0..<Self.count).map { "http://127.0.0.1:\(nginx.port)/f\($0)" }
        largeURL = "http://127.0.0.1:\(nginx.port)/large"
    }

    func stop() { server?.stop() }

    /// Counts the files of the right length below a folder.
    func check(below folder: String, count: Int) throws {
        let walk = FileManager.default.enumerator(
            at: URL(filePath: folder), includingPropertiesForKeys: [.fileSizeKey])
        var found = 0
        while let file = walk?.nextObject() as? URL {
            let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize
            if size == Self.bytes { found += 1 }
        }
        guard found == count else {
            throw BenchmarkError("\(folder) has \(found) whole files instead of \(count)")
        }
    }
}
