// B1: many small files from one origin to the disk, against aria2's daemon and wget2.
import Foundation

enum ManyFiles {
    private static let count = 10_000
    private static let bytes = 10_240
    private static let atOnce = "128"
    private static let batch = 1_000

    static func run(_ plan: Plan) throws -> [Comparison] {
        try plan.need("nginx")
        let files = try plan.makeFolder("b1-origin")
        try makeFiles(in: files)
        let origin = try NginxServer(plan, name: "b1-nginx", location: "root \(files);")
        defer { origin.stop() }
        let urls = names.map { "http://127.0.0.1:\(origin.port)/\($0)" }
        var sides: [(name: String, run: (Int) throws -> Sample)] = []
        if try plan.has("aria2c") {
            sides.append(("aria2c", { try aria2(urls, files, $0, plan) }))
        }
        sides.append(("lull", { try lull(urls, files, $0, plan) }))
        if try plan.has("wget2") {
            sides.append(("wget2", { try wget2(urls, files, $0, plan) }))
        }
        let rounds = try Rounds(plan, sides)
        let note =
            "Lull's jobs come in batches of \(batch), LULL_RUNNING and LULL_PER_ORIGIN "
            + "\(atOnce); from the first POST until the last is succeeded; every side has a new "
            + "folder each round"
        return [
            ("aria2c", "aria2c \(Aria2Daemon.arguments(atOnce: 64))", 4.0),
            ("wget2", "wget2 -q -i, which syncs nothing", 1.0),
        ].compactMap { name, title, goal in
            guard !rounds[name].isEmpty else { return nil }
            return Comparison(
                name: "B1", unit: "files/s", peerName: name, peer: rounds[name],
                lull: rounds["lull"], goal: .atLeast(goal), note: "\(title); \(note)")
        }
    }

    private static let names = (0..<count).map { "f" + String(100_000 + $0) }

    private static func makeFiles(in folder: String) throws {
        var random = SystemRandomNumberGenerator()
        for name in names {
            var content = Data(capacity: bytes)
            for _ in 0..<bytes / 8 {
                unsafe withUnsafeBytes(of: random.next()) { unsafe content.append(contentsOf: $0) }
            }
            try content.write(to: URL(filePath: "\(folder)/\(name)"))
        }
    }

    private static func lull(
        _ urls: [String], _ files: String, _ round: Int, _ plan: Plan
    ) throws -> Sample {
        let lull = try LullServer(
            plan, name: "b1-lull-\(round)",
            settings: ["LULL_RUNNING": atOnce, "LULL_PER_ORIGIN": atOnce])
        defer { lull.stop() }
        let bodies = stride(from: 0, to: count, by: batch).map { first in
            let items = urls[first..<first + batch].map { #"{"url":"\#($0)"}"# }
            return #"{"downloads":[\#(items.joined(separator: ","))]}"#
        }
        let ((ids, posting), lap) = try Lap.time(servers: [lull.pid]) {
            let start = ContinuousClock.now
            let run = try PostRun(
                port: lull.port, path: "/v1/downloads/batch", bodies: bodies, connections: 1)
            let posting = (ContinuousClock.now - start) / .seconds(1)
            let ids = try run.answers.flatMap { try Created.ids($0) }
            // The last ones end last, nearly: then a list of what is left costs little.
            for id in ids.suffix(64) { _ = try lull.end(of: id) }
            while try !lull.isIdle() { Thread.sleep(forTimeInterval: 0.01) }
            return (ids, posting)
        }
        let succeeded = try lull.value(
            "SELECT count(*) FROM downloads WHERE state = 1", plan: plan)
        guard succeeded == count, Set(ids).count == count else {
            throw BenchmarkError("\(succeeded) of \(count) downloads succeeded")
        }
        try checkCount(of: "\(lull.data)/content")
        let connection = try HTTPConnection(port: lull.port)
        for place in stride(from: 0, to: count, by: 97) {
            let answer = try connection.exchange("GET", "/v1/downloads/\(ids[place])/content")
            guard Data(answer.body) == contents(files, names[place]) else {
                throw BenchmarkError("download \(ids[place]) has the wrong bytes")
            }
        }
        return lap.sample(
            Double(count) / lap.seconds, count: count,
            extras: [
                "posts_per_s": Double(count) / posting, "s_after_posts": lap.seconds - posting,
            ])
    }

    private static func aria2(
        _ urls: [String], _ files: String, _ round: Int, _ plan: Plan
    ) throws -> Sample {
        let output = try plan.makeFolder("b1-aria2-\(round)")
        let daemon = try Aria2Daemon(plan, output: output)
        defer { daemon.stop() }
        let (_, lap) = try Lap.time(servers: [daemon.pid]) {
            try daemon.add(urls)
            try daemon.finish()
        }
        try check(output, files)
        return lap.sample(Double(count) / lap.seconds, count: count)
    }

    private static func wget2(
        _ urls: [String], _ files: String, _ round: Int, _ plan: Plan
    ) throws -> Sample {
        let output = try plan.makeFolder("b1-wget2-\(round)")
        let list = "\(output).list"
        try Data(urls.joined(separator: "\n").utf8).write(to: URL(filePath: list))
        let (_, lap) = try Lap.time {
            try Command.check("wget2", ["-q", "-i", list, "-P", output], plan: plan)
        }
        try check(output, files)
        return lap.sample(Double(count) / lap.seconds, count: count)
    }

    private static func check(_ output: String, _ files: String) throws {
        try checkCount(of: output)
        for place in stride(from: 0, to: count, by: 97) {
            guard contents(output, names[place]) == contents(files, names[place]) else {
                throw BenchmarkError("\(output)/\(names[place]) has the wrong bytes")
            }
        }
    }

    /// Counts files of the right length below a folder.
    private static func checkCount(of folder: String) throws {
        let walk = FileManager.default.enumerator(
            at: URL(filePath: folder), includingPropertiesForKeys: [.fileSizeKey])
        var found = 0
        while let file = walk?.nextObject() as? URL {
            if try file.resourceValues(forKeys: [.fileSizeKey]).fileSize == bytes { found += 1 }
        }
        guard found == count else {
            throw BenchmarkError("\(folder) has \(found) whole files instead of \(count)")
        }
    }

    private static func contents(_ folder: String, _ name: String) -> Data? {
        FileManager.default.contents(atPath: "\(folder)/\(name)")
    }
}
