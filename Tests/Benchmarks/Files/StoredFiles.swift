// B24: files from an origin into an object store, against rclone, and against plain PUTs of files
// that are already on the disk.
import Foundation

enum StoredFiles {
    private static let count = 400
    private static let bytes = 1 << 20
    private static let atOnce = 8

    static func run(_ plan: Plan) throws -> [Comparison] {
        try plan.need("nginx")
        try plan.need("weed")
        let files = try plan.makeFolder("B24-origin")
        try Command.check(
            "sh",
            [
                "-c",
                "for i in $(seq 100001 \(100_000 + count)); do "
                    + "head -c \(bytes) /dev/urandom > '\(files)'/f$i; done",
            ], plan: plan)
        let origin = try NginxServer(
            plan, name: "B24-nginx", location: "root \(files); autoindex on;")
        defer { origin.stop() }
        let store = try WeedServer(plan, name: "B24-store")
        defer { store.stop() }
        var sides: [(name: String, run: (Int) throws -> Sample)] = [
            ("curl", { try curl(files, to: store, $0, plan) }),
            ("lull", { try lull(origin, to: store, $0, plan) }),
        ]
        if try plan.has("rclone") {
            sides.append(("rclone", { try rclone(origin, to: store, $0, plan) }))
        }
        let rounds = try Rounds(plan, sides)
        return [
            (
                "curl", Comparison.Goal.atLeast(0.9),
                "curl --parallel -T, which reads the files from the disk and hashes none"
            ),
            ("rclone", .none, "rclone copy, which fetches them from the origin as well"),
        ].compactMap { peer, goal, title in
            guard !rounds[peer].isEmpty else { return nil }
            return Comparison(
                name: "B24", unit: "MiB/s", peerName: peer, peer: rounds[peer],
                lull: rounds["lull"], goal: goal,
                note: "\(count) files of 1 MiB into SeaweedFS, \(atOnce) at once; \(title)")
        }
    }

    private static var names: [String] { (1...count).map { "f\(100_000 + $0)" } }

    private static func sample(_ lap: Lap) -> Sample {
        lap.sample(Double(count * bytes) / Double(1 << 20) / lap.seconds, count: count)
    }

    private static func curl(
        _ files: String, to store: WeedServer, _ round: Int, _ plan: Plan
    ) throws -> Sample {
        let list = "\(files).curl"
        let lines = names.map {
            "upload-file = \"\(files)/\($0)\"\nurl = \"\(store.url)/bucket/curl-\(round)/\($0)\""
                + "\noutput = \"/dev/null\""
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: list))
        let (_, lap) = try Lap.time {
            try Command.check(
                "curl",
                [
                    "-sSf", "--parallel", "--parallel-max", String(atOnce), "--aws-sigv4",
                    "aws:amz:us-east-1:s3", "--user", "\(WeedServer.key):\(WeedServer.secret)",
                    "-K", list,
                ], plan: plan)
        }
        try store.expect(count, under: "curl-\(round)/", plan)
        return sample(lap)
    }

    private static func rclone(
        _ origin: NginxServer, to store: WeedServer, _ round: Int, _ plan: Plan
    ) throws -> Sample {
        let target =
            ":s3,provider=SeaweedFS,access_key_id=\(WeedServer.key),"
            + "secret_access_key=\(WeedServer.secret),endpoint='\(store.url)'"
            + ":bucket/rclone-\(round)"
        let (_, lap) = try Lap.time {
            try Command.check(
                "rclone",
                [
                    "copy", "--config", "/dev/null", "--transfers", String(atOnce),
                    "--checkers", String(atOnce), "--s3-no-check-bucket",
                    ":http,url='http://127.0.0.1:\(origin.port)/':", target,
                ], plan: plan)
        }
        try store.expect(count, under: "rclone-\(round)/", plan)
        return sample(lap)
    }

    private static func lull(
        _ origin: NginxServer, to store: WeedServer, _ round: Int, _ plan: Plan
    ) throws -> Sample {
        let lull = try LullServer(
            plan, name: "B24-lull-\(round)",
            settings: [
                "LULL_MAX_RUNNING": String(2 * atOnce),
                "LULL_MAX_RUNNING_PER_ORIGIN": String(atOnce),
                "LULL_DESTINATIONS": "cold=s3://bucket/lull-\(round)?endpoint=\(store.url)",
                "AWS_ACCESS_KEY_ID": WeedServer.key,
                "AWS_SECRET_ACCESS_KEY": WeedServer.secret,
            ])
        defer { lull.stop() }
        let items = names.map {
            #"{"url":"http://127.0.0.1:\#(origin.port)/\#($0)","#
                + #""destination":{"name":"cold","path":"\#($0)"}}"#
        }
        let (ids, lap) = try Lap.time(servers: [lull.pid]) {
            let run = try PostRun(
                port: lull.port, path: "/v1/downloads/batch",
                bodies: [#"{"downloads":[\#(items.joined(separator: ","))]}"#], connections: 1)
            let ids = try run.answers.flatMap { try Created.ids($0) }
            for id in ids.suffix(16) { _ = try lull.end(of: id) }
            while try !lull.isIdle() { Thread.sleep(forTimeInterval: 0.01) }
            return ids
        }
        let succeeded = try lull.value(
            "SELECT count(*) FROM downloads WHERE state = lull_state('succeeded')", plan: plan)
        guard succeeded == count, Set(ids).count == count else {
            throw BenchmarkError("\(succeeded) of \(count) downloads succeeded")
        }
        try store.expect(count, under: "lull-\(round)/", plan)
        return sample(lap)
    }
}

/// A running SeaweedFS with its S3 gateway, on loopback.
final class WeedServer {
    static let key = "operator"
    static let secret = "operators-secret"

    let url: String
    private let command: Command

    init(_ plan: Plan, name: String) throws {
        let folder = try plan.makeFolder(name)
        let port = try FreePort.find()
        url = "http://127.0.0.1:\(port)"
        let configuration = """
            {"identities": [{"name": "operator", "actions": ["Admin"], "credentials":
              [{"accessKey": "\(WeedServer.key)", "secretKey": "\(WeedServer.secret)"}]}]}
            """
        try Data(configuration.utf8).write(to: URL(filePath: "\(folder).json"))
        command = try Command(
            "weed",
            try [
                "mini", "-dir=\(folder)", "-ip=127.0.0.1", "-ip.bind=127.0.0.1",
                "-s3.config=\(folder).json", "-master.telemetry=false", "-admin.ui=false",
                "-webdav=false", "-s3.port.iceberg=0", "-s3.port=\(port)",
                "-master.port=\(FreePort.find())", "-volume.port=\(FreePort.find())",
                "-filer.port=\(FreePort.find())", "-admin.port=\(FreePort.find())",
            ], plan: plan, log: "\(folder).log")
        try eventually("the store answers", alive: command) {
            try Command.check(
                "curl",
                [
                    "-sSf", "-o", "/dev/null", "-X", "PUT", "--aws-sigv4", "aws:amz:us-east-1:s3",
                    "--user", "\(WeedServer.key):\(WeedServer.secret)",
                    "http://127.0.0.1:\(port)/bucket",
                ], plan: plan)
            return true
        }
    }

    func stop() { command.stop() }

    /// Counts the objects under a prefix.
    func expect(_ count: Int, under prefix: String, _ plan: Plan) throws {
        let list = try Command.check(
            "curl",
            [
                "-sSf", "--aws-sigv4", "aws:amz:us-east-1:s3", "--user",
                "\(WeedServer.key):\(WeedServer.secret)",
                "\(url)/bucket?list-type=2&prefix=\(prefix.dropLast())%2F",
            ], plan: plan)
        let found = list.components(separatedBy: "<Key>").count - 1
        guard found == count else {
            throw BenchmarkError("\(found) objects under \(prefix) instead of \(count)")
        }
    }
}
