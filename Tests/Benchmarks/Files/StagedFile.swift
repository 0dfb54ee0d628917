// B25: a file of 1 GiB that a client brings by one PUT, against nginx's WebDAV and a sync of the
// file.
import Foundation

enum StagedFile {
    private static let bytes = 1 << 30

    static func run(_ plan: Plan) throws -> [Comparison] {
        try plan.need("nginx")
        try plan.need("curl")
        let folder = try plan.makeFolder("B25-source")
        let file = "\(folder)/file"
        try Command.check(
            "sh", ["-c", "head -c \(bytes) /dev/urandom > '\(file)'"], plan: plan)
        let taken = try plan.makeFolder("B25-taken")
        let nginx = try NginxServer(
            plan, name: "B25-nginx",
            location: "root \(taken); dav_methods PUT; client_max_body_size 2g; "
                + "client_body_temp_path \(taken)/part;")
        defer { nginx.stop() }
        let rounds = try Rounds(
            plan,
            [
                ("nginx", { try webDAV(file, to: nginx, in: taken, $0, plan) }),
                ("lull", { try lull(file, $0, plan) }),
            ])
        return [
            Comparison(
                name: "B25", unit: "MiB/s", peerName: "nginx", peer: rounds["nginx"],
                lull: rounds["lull"], goal: .atLeast(0.9),
                note: "1 GiB by one PUT of curl, synced; Lull also hashes it and records it; nginx "
                    + "is followed by a sync of the file")
        ]
    }

    private static func put(_ file: String, to url: String, _ plan: Plan) throws {
        try Command.check(
            "curl", ["-sSf", "-o", "/dev/null", "-H", "Expect:", "-T", file, url], plan: plan)
    }

    private static func sample(_ lap: Lap, _ extras: [String: Double] = [:]) -> Sample {
        lap.sample(Double(bytes >> 20) / lap.seconds, count: 1, extras: extras)
    }

    private static func webDAV(
        _ file: String, to nginx: NginxServer, in folder: String, _ round: Int, _ plan: Plan
    ) throws -> Sample {
        let (_, lap) = try Lap.time(servers: [nginx.pid]) {
            try put(file, to: "http://127.0.0.1:\(nginx.port)/taken-\(round)", plan)
            try Command.check("sync", ["\(folder)/taken-\(round)"], plan: plan)
        }
        try FileManager.default.removeItem(atPath: "\(folder)/taken-\(round)")
        return sample(lap)
    }

    private static func lull(_ file: String, _ round: Int, _ plan: Plan) throws -> Sample {
        let lull = try LullServer(
            plan, name: "B25-lull-\(round)",
            settings: ["LULL_UPLOAD_DESTINATIONS": "public,loopback"])
        defer { lull.stop() }
        // Suspended, so that nothing is sent meanwhile.
        let body =
            #"{"destination":{"url":"http://127.0.0.1:8999/file"},"length":\#(bytes),"#
            + #""suspended":true}"#
        let answer = try HTTPConnection(port: lull.port).exchange(
            "POST", "/v1/uploads", body: body)
        let id = try Created.id(answer.body)
        let before = try ProcessFigures(of: lull.pid).peakBytes
        let (_, lap) = try Lap.time(servers: [lull.pid]) {
            try put(file, to: "http://127.0.0.1:\(lull.port)/v1/uploads/\(id)/content", plan)
        }
        let staged = try lull.value(
            "SELECT count(*) FROM queue WHERE resume ? 'received'", plan: plan)
        guard staged == 1 else { throw BenchmarkError("the upload is not staged") }
        let grown = try ProcessFigures(of: lull.pid).peakBytes - before
        return sample(lap, ["peak_mib": Double(grown) / Double(1 << 20)])
    }
}
