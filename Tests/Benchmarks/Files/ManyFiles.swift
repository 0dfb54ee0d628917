// B1, B3 and B19: many files from one origin to the disk, against aria2's daemon and wget2.
import Foundation

struct ManyFiles {
    /// The name in the table of goals.
    let name: String
    let count: Int
    /// Bytes of each file, a multiple of 8.
    let bytes: Int
    /// The number of downloads that Lull, and that aria2, runs at once.
    let atOnce: (lull: Int, aria2: Int)
    /// The unit of a rate: files a second, or MiB a second.
    let unit: String
    /// The ratios to reach.
    let goals: (aria2: Comparison.Goal, wget2: Comparison.Goal)
    /// Whether another process uses a processor all the time.
    var isBesideBusyCore = false
    private let batch = 1_000

    static let small = ManyFiles(
        name: "B1", count: 10_000, bytes: 10_240, atOnce: (128, 64), unit: "files/s",
        goals: (.atLeast(4.0), .atLeast(1.0)))
    static let medium = ManyFiles(
        name: "B3", count: 200, bytes: 8 << 20, atOnce: (16, 16), unit: "MiB/s",
        goals: (.none, .atLeast(1.3)))
    static let smallBesideBusyCore = ManyFiles(
        name: "B1-busy", count: small.count, bytes: small.bytes, atOnce: small.atOnce,
        unit: small.unit, goals: (.atLeast(3.0), .atLeast(0.8)), isBesideBusyCore: true)
    static let mediumBesideBusyCore = ManyFiles(
        name: "B3-busy", count: medium.count, bytes: medium.bytes, atOnce: medium.atOnce,
        unit: medium.unit, goals: (.none, .atLeast(1.0)), isBesideBusyCore: true)
    static let large = ManyFiles(
        name: "B19", count: 64, bytes: 64 << 20, atOnce: (8, 8), unit: "MiB/s",
        goals: (.atLeast(1.5), .none))

    func run(_ plan: Plan) throws -> [Comparison] {
        try plan.need("nginx")
        let files = try plan.makeFolder("\(name)-origin")
        try makeFiles(in: files, plan)
        let busy =
            isBesideBusyCore
            ? try Command(
                "sh", ["-c", "while :; do :; done"], plan: plan, log: "\(files).busy.log") : nil
        defer { busy?.stop() }
        let origin = try NginxServer(plan, name: "\(name)-nginx", location: "root \(files);")
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
        let counts = try self.counts(urls, files, sides.map(\.name), plan)
        let note =
            "Lull's jobs come in batches of \(batch), LULL_MAX_RUNNING and ..._PER_ORIGIN "
            + "\(atOnce.lull); from the first POST until the last is succeeded; every side has a "
            + "new folder each round" + (isBesideBusyCore ? "; another process computes" : "")
        return [
            ("aria2c", "aria2c \(Aria2Daemon.arguments) -j \(atOnce.aria2)", goals.aria2),
            ("wget2", "wget2 -q -i, which syncs nothing", goals.wget2),
        ].compactMap { peer, title, goal in
            guard !rounds[peer].isEmpty else { return nil }
            return Comparison(
                name: name, unit: unit, peerName: peer, peer: rounds[peer],
                lull: rounds["lull"], goal: goal, note: "\(title); \(note)",
                counts: Comparison.Counts(of: peer, unit: "file", in: counts))
        }
    }

    /// The counts of each side for a file.
    private func counts(
        _ urls: [String], _ files: String, _ sides: [String], _ plan: Plan
    ) throws -> [String: Count] {
        guard try plan.counts, !isBesideBusyCore else { return [:] }
        var counts: [String: Count] = [:]
        for side in sides {
            var round = plan.pairs
            counts[side] = try Count(of: side, name: name, plan) { plan in
                switch side {
                case "aria2c": _ = try aria2(urls, files, round, plan)
                case "wget2": _ = try wget2(urls, files, round, plan)
                default: _ = try lull(urls, files, round, plan)
                }
                round += 1
                return count
            }
        }
        return counts
    }

    private var names: [String] { (0..<count).map { "f" + String(100_000 + $0) } }

    private func rate(_ lap: Lap) -> Double {
        let work = unit == "files/s" ? Double(count) : Double(count * bytes) / Double(1 << 20)
        return work / lap.seconds
    }

    private func makeFiles(in folder: String, _ plan: Plan) throws {
        guard bytes < 1 << 20 else {
            for name in names {
                try Command.check(
                    "sh", ["-c", "head -c \(bytes) /dev/urandom > '\(folder)/\(name)'"], plan: plan)
            }
            return
        }
        var random = SystemRandomNumberGenerator()
        for name in names {
            var content = Data(capacity: bytes)
            for _ in 0..<bytes / 8 {
                unsafe withUnsafeBytes(of: random.next()) { unsafe content.append(contentsOf: $0) }
            }
            try content.write(to: URL(filePath: "\(folder)/\(name)"))
        }
    }

    private func lull(
        _ urls: [String], _ files: String, _ round: Int, _ plan: Plan
    ) throws -> Sample {
        let lull = try LullServer(
            plan, name: "\(name)-lull-\(round)",
            settings: [
                "LULL_MAX_RUNNING": String(atOnce.lull),
                "LULL_MAX_RUNNING_PER_ORIGIN": String(atOnce.lull),
            ])
        defer { lull.stop() }
        let bodies = stride(from: 0, to: count, by: batch).map { first in
            let items = urls[first..<min(first + batch, count)].map { #"{"url":"\#($0)"}"# }
            return #"{"downloads":[\#(items.joined(separator: ","))]}"#
        }
        let ((ids, posting), lap) = try Lap.time(servers: [lull.pid]) {
            let start = ContinuousClock.now
            let run = try PostRun(
                port: lull.port, path: "/v1/downloads/batch", bodies: bodies, connections: 1)
            let posting = (ContinuousClock.now - start) / .seconds(1)
            let ids = try run.answers.flatMap { try Created.ids($0) }
            // The last identifiers end about last: after that a list of the remaining downloads
            // costs little.
            for id in ids.suffix(64) { _ = try lull.end(of: id) }
            while try !lull.isIdle() { Thread.sleep(forTimeInterval: 0.01) }
            return (ids, posting)
        }
        let succeeded = try lull.value(
            "SELECT count(*) FROM downloads WHERE state = lull_state('succeeded')", plan: plan)
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
        lull.stop()
        try clear(lull.data)
        return lap.sample(
            rate(lap), count: count,
            extras: [
                "posts_per_s": Double(count) / posting, "s_after_posts": lap.seconds - posting,
            ])
    }

    private func aria2(
        _ urls: [String], _ files: String, _ round: Int, _ plan: Plan
    ) throws -> Sample {
        let output = try plan.makeFolder("\(name)-aria2-\(round)")
        let daemon = try Aria2Daemon(plan, output: output, atOnce: atOnce.aria2)
        defer { daemon.stop() }
        let (_, lap) = try Lap.time(servers: [daemon.pid]) {
            try daemon.add(urls)
            try daemon.finish()
        }
        try check(output, files)
        try clear(output)
        return lap.sample(rate(lap), count: count)
    }

    /// Removes the files before the next round if they are few and large; many small ones stay.
    private func clear(_ folder: String) throws {
        if bytes >= 1 << 20 { try FileManager.default.removeItem(atPath: folder) }
    }

    private func wget2(
        _ urls: [String], _ files: String, _ round: Int, _ plan: Plan
    ) throws -> Sample {
        let output = try plan.makeFolder("\(name)-wget2-\(round)")
        let list = "\(output).list"
        try Data(urls.joined(separator: "\n").utf8).write(to: URL(filePath: list))
        let (_, lap) = try Lap.time {
            try Command.check("wget2", ["-q", "-i", list, "-P", output], plan: plan)
        }
        try check(output, files)
        try clear(output)
        return lap.sample(rate(lap), count: count)
    }

    private func check(_ output: String, _ files: String) throws {
        try checkCount(of: output)
        for place in stride(from: 0, to: count, by: 97) {
            guard contents(output, names[place]) == contents(files, names[place]) else {
                throw BenchmarkError("\(output)/\(names[place]) has the wrong bytes")
            }
        }
    }

    /// Counts files of the right length below a folder.
    private func checkCount(of folder: String) throws {
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

    private func contents(_ folder: String, _ name: String) -> Data? {
        FileManager.default.contents(atPath: "\(folder)/\(name)")
    }
}
