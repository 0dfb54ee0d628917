// B2: one large file with its digest, against curl without one.
import Foundation

enum BigFile {
    private static let bytes = 2 << 30

    static func run(_ plan: Plan) throws -> [Comparison] {
        for program in ["nginx", "curl"] { try plan.need(program) }
        let files = try plan.makeFolder("b2-origin")
        let made = try Command.check(
            "sh",
            ["-c", "head -c \(bytes) /dev/urandom | tee '\(files)/big.bin' | sha256sum"],
            plan: plan)
        let digest = String(made.prefix(64))
        let origin = try NginxServer(plan, name: "b2-nginx", location: "root \(files);")
        defer { origin.stop() }
        let lull = try LullServer(plan, name: "b2-lull")
        defer { lull.stop() }
        let url = "http://127.0.0.1:\(origin.port)/big.bin"
        let output = try plan.makeFolder("b2-curl")
        let rounds = try Rounds(
            plan,
            [
                ("curl", { try fetch(url, to: "\(output)/\($0).bin", plan) }),
                ("lull", { _ in try download(url, digest: digest, lull) }),
            ])
        return [
            Comparison(
                name: "B2", unit: "s", peerName: "curl -o", peer: rounds["curl"],
                lull: rounds["lull"], goal: .atMost(0.9),
                note: "\(bytes >> 20) MiB; Lull's time is from the POST with expected_digest until "
                    + "it is known to have succeeded, verified and synced; curl neither hashes nor "
                    + "syncs; CPU each is per file")
        ]
    }

    private static func fetch(_ url: String, to path: String, _ plan: Plan) throws -> Sample {
        let (_, lap) = try Lap.time {
            try Command.check("curl", ["-sf", "-o", path, url], plan: plan)
        }
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        guard size == bytes else { throw BenchmarkError("curl's file has the wrong length") }
        return lap.sample(lap.seconds, count: 1)
    }

    private static func download(
        _ url: String, digest: String, _ lull: LullServer
    ) throws -> Sample {
        let body = #"{"url":"\#(url)","expected_digest":"sha256:\#(digest)"}"#
        let (download, lap) = try Lap.time(servers: [lull.pid]) {
            let run = try PostRun(
                port: lull.port, path: "/v1/downloads", bodies: [body], connections: 1)
            return try lull.end(of: try Created.id(run.answers[0]))
        }
        guard download.content?.length == Int64(bytes) else {
            throw BenchmarkError("Lull's file has the wrong length")
        }
        return lap.sample(lap.seconds, count: 1)
    }
}

/// What a create answers.
struct Created: Decodable {
    let id: String

    static func id(_ body: [UInt8]) throws -> String {
        try JSONDecoder().decode(Created.self, from: Data(body)).id
    }

    /// The identifiers of a batch, in its order.
    static func ids(_ body: [UInt8]) throws -> [String] {
        struct Batch: Decodable { let data: [Created] }
        return try JSONDecoder().decode(Batch.self, from: Data(body)).data.map(\.id)
    }
}
