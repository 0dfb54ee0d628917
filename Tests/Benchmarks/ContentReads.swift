// B11: a large finished file read by several clients at once, against nginx with sendfile.
import Foundation

enum ContentReads {
    private static let bytes = 1 << 30
    private static let connections = 8

    static func run(_ plan: Plan) throws -> [Comparison] {
        for program in ["nginx", "curl"] { try plan.need(program) }
        let files = try plan.makeFolder("b11-origin")
        let made = try Command.check(
            "sh",
            ["-c", "head -c \(bytes) /dev/urandom | tee '\(files)/big.bin' | sha256sum"],
            plan: plan)
        let nginx = try NginxServer(plan, name: "b11-nginx", location: "root \(files);")
        defer { nginx.stop() }
        let lull = try LullServer(plan, name: "b11-lull")
        defer { lull.stop() }
        let url = "http://127.0.0.1:\(nginx.port)/big.bin"
        let path = try fetch(url, lull)
        // The file is read once with every byte compared; this also warms both files.
        for address in [url, "http://127.0.0.1:\(lull.port)\(path)"] {
            let digest = try Command.check(
                "sh", ["-c", "curl -sf '\(address)' | sha256sum"], plan: plan)
            guard digest == made else { throw BenchmarkError("\(address) gave other bytes") }
        }
        func read(_ port: Int, _ path: String, _ pid: Int32) throws -> Sample {
            let (count, lap) = try Lap.time(servers: [pid]) { try drain(port, path) }
            return lap.sample(Double(count) * 1024 / lap.seconds, count: count)
        }
        let counts = try counts(files, url, plan)
        let both = ["\(files)/big.bin", try content(below: "\(lull.data)/content")]
        // One measurement with the file's pages in memory, and one without.
        return try [("B11", false), ("B11 cold", true)].map { name, isCold in
            let rounds = try Rounds(
                plan,
                [
                    (
                        "nginx",
                        { _ in
                            if isCold { try forget(both, plan) }
                            return try read(nginx.port, "/big.bin", nginx.pid)
                        }
                    ),
                    (
                        "lull",
                        { _ in
                            if isCold { try forget(both, plan) }
                            return try read(lull.port, path, lull.pid)
                        }
                    ),
                ])
            let note =
                "\(connections) connections, each reads \(bytes >> 20) MiB once; sendfile on, "
                + "tcp_nopush on, one worker; the client lets the kernel throw the bytes away "
                + "(MSG_TRUNC), so that the servers are what is measured; CPU each is per GiB"
            return Comparison(
                name: name, unit: "MiB/s", peerName: "nginx", peer: rounds["nginx"],
                lull: rounds["lull"], goal: isCold ? .none : .atLeast(1.0),
                note: isCold ? note + "; the file's pages are given back before" : note,
                counts: isCold ? nil : Comparison.Counts(of: "nginx", unit: "GiB", in: counts))
        }
    }

    /// Reads over all connections, and returns the number of GiB.
    private static func drain(_ port: Int, _ path: String) throws -> Int {
        _ = try Drain(port: port, path: path, connections: connections, bytes: bytes)
        return connections * bytes >> 30
    }

    /// The counts of both servers for a GiB; each is started for this count.
    private static func counts(
        _ files: String, _ url: String, _ plan: Plan
    ) throws -> [String: Count] {
        try Count.each(
            [
                (
                    "nginx",
                    { plan in
                        let counted = try NginxServer(
                            plan, name: "b11-nginx-counted", location: "root \(files);")
                        defer { counted.stop() }
                        return try counted.counted { try drain(counted.port, "/big.bin") }
                    }
                ),
                (
                    "lull",
                    { plan in
                        let lull = try LullServer(plan, name: "b11-counted", isCounted: false)
                        defer { lull.stop() }
                        let path = try fetch(url, lull)
                        return try lull.counted { try drain(lull.port, path) }
                    }
                ),
            ], name: "B11", plan)
    }

    /// Downloads the file, and returns the path of its content.
    private static func fetch(_ url: String, _ lull: LullServer) throws -> String {
        let run = try PostRun(
            port: lull.port, path: "/v1/downloads", bodies: [#"{"url":"\#(url)"}"#],
            connections: 1)
        let id = try lull.end(of: try Created.id(run.answers[0])).id
        return "/v1/downloads/\(id)/content"
    }

    /// The only file below a folder.
    private static func content(below folder: String) throws -> String {
        let walk = FileManager.default.enumerator(atPath: folder)
        while let name = walk?.nextObject() as? String {
            if name.contains(".") { return "\(folder)/\(name)" }
        }
        throw BenchmarkError("\(folder) has no file")
    }

    /// Drops the pages of files from memory.
    private static func forget(_ files: [String], _ plan: Plan) throws {
        for file in files {
            try Command.check(
                "dd", ["if=\(file)", "iflag=nocache", "count=0", "status=none"], plan: plan)
        }
    }
}

/// Reads one resource over several connections and looks only at the head and the length.
struct Drain {
    private var left: [Int]

    init(port: Int, path: String, connections: Int, bytes: Int) throws {
        left = []
        let open = try (0..<connections).map { _ in try HTTPConnection(port: port) }
        for connection in open { try connection.send("GET", path) }
        for connection in open {
            let (length, taken) = try connection.receiveHead()
            guard length == bytes else { throw BenchmarkError("port \(port): length \(length)") }
            left.append(length - taken)
        }
        while left.contains(where: { $0 > 0 }) {
            var watched = open.indices.map {
                pollfd(
                    fd: left[$0] > 0 ? open[$0].descriptor : -1, events: Int16(POLLIN), revents: 0)
            }
            guard unsafe poll(&watched, nfds_t(watched.count), 30_000) > 0 else {
                throw BenchmarkError("no byte from port \(port) for 30 s")
            }
            for slot in watched.indices where watched[slot].revents != 0 {
                left[slot] -= try open[slot].discard(upTo: left[slot])
            }
        }
    }
}

extension HTTPConnection {
    /// Reads up to the end of the head.
    ///
    /// - Returns: the announced length, and the number of bytes of content that came with the
    ///   head.
    func receiveHead() throws -> (length: Int, taken: Int) {
        var bytes: [UInt8] = []
        while true {
            try bytes.append(contentsOf: receiveSome(1 << 12))
            guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
            let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).lowercased()
                .split(separator: "\r\n")
            guard lines[0].contains(" 200 "),
                let field = lines.first(where: { $0.hasPrefix("content-length: ") }),
                let length = Int(field.dropFirst("content-length: ".count))
            else { throw BenchmarkError("a content was answered \(lines)") }
            return (length, bytes.count - end.upperBound)
        }
    }

    /// Discards the bytes that are there, at most this many; see tcp(7) on MSG_TRUNC.
    func discard(upTo count: Int) throws -> Int {
        let taken = recv(descriptor, nil, min(count, 1 << 22), Int32(MSG_TRUNC))
        guard taken > 0 else { throw BenchmarkError("a content ended early") }
        return taken
    }

    private func receiveSome(_ most: Int) throws -> [UInt8] {
        var room = [UInt8](repeating: 0, count: most)
        let count = unsafe recv(descriptor, &room, most, 0)
        guard count > 0 else { throw BenchmarkError("the server closed a connection") }
        return Array(room[..<count])
    }
}
