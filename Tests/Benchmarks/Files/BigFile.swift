// B2 and B18: one large file with its digest, against curl without one.
import Foundation

struct BigFile {
    /// The name in the table of goals.
    let name: String
    let bytes: Int
    /// Whether the file comes over TLS.
    let isEncrypted: Bool
    /// The goals for Lull's time as a part of curl's, and of the digest's alone.
    let goals: (curl: Comparison.Goal, digest: Comparison.Goal)

    static let plain = BigFile(
        name: "B2", bytes: 2 << 30, isEncrypted: false, goals: (.atMost(0.8), .atMost(1.2)))
    static let encrypted = BigFile(
        name: "B18", bytes: 1 << 30, isEncrypted: true, goals: (.atMost(1.0), .none))

    func run(_ plan: Plan) throws -> [Comparison] {
        for program in ["nginx", "curl", "openssl"] { try plan.need(program) }
        let files = try plan.makeFolder("\(name)-origin")
        let file = "\(files)/big.bin"
        let made = try Command.check(
            "sh", ["-c", "head -c \(bytes) /dev/urandom | tee '\(file)' | sha256sum"], plan: plan)
        let digest = String(made.prefix(64))
        let certificate = isEncrypted ? try Certificate(plan, name: "\(name)-tls") : nil
        let origin = try NginxServer(
            plan, name: "\(name)-nginx", location: "root \(files);", certificate: certificate)
        defer { origin.stop() }
        let settings = certificate.map { ["LULL_CA_FILE": $0.file] } ?? [:]
        let lull = try LullServer(plan, name: "\(name)-lull", settings: settings)
        defer { lull.stop() }
        let url =
            origin.tlsPort.map { "https://127.0.0.1:\($0)/big.bin" }
            ?? "http://127.0.0.1:\(origin.port)/big.bin"
        let output = try plan.makeFolder("\(name)-curl")
        let trust = certificate.map { ["--cacert", $0.file] } ?? []
        let rounds = try Rounds(
            plan,
            [
                ("curl", { try fetch(url, trust, to: "\(output)/\($0).bin", plan) }),
                ("lull", { _ in try download(url, digest: digest, lull) }),
                ("digest", { _ in try read(file, digest, plan) }),
            ])
        var counts: [String: Count] = [:]
        if try plan.counts {
            counts["curl"] = try Count(of: "curl", name: name, plan) {
                _ = try fetch(url, trust, to: "\(output)/counted.bin", $0)
                return bytes >> 30
            }
            lull.stop()
            counts["lull"] = try Count(of: "lull", name: name, plan) { plan in
                let lull = try LullServer(plan, name: "\(name)-lull", settings: settings)
                defer { lull.stop() }
                _ = try download(url, digest: digest, lull)
                return bytes >> 30
            }
        }
        // Makes room for the benchmarks that follow; only few files are removed, so that ext4 stays
        // as fast.
        lull.stop()
        for folder in [lull.data, output, files] {
            try FileManager.default.removeItem(atPath: folder)
        }
        let note =
            "\(bytes >> 20) MiB; Lull's time is from the POST with expected_digest until it is "
            + "known to have succeeded, verified and synced; CPU each is per file; "
        return [
            ("curl", "curl -o", goals.curl, "curl neither hashes nor syncs"),
            ("digest", "openssl dgst", goals.digest, "SHA-256 of the same bytes from memory"),
        ].map { side, title, goal, more in
            Comparison(
                name: name, unit: "s", peerName: title, peer: rounds[side], lull: rounds["lull"],
                goal: goal, note: note + more,
                counts: Comparison.Counts(of: side, unit: "GiB", in: counts))
        }
    }

    private func fetch(
        _ url: String, _ trust: [String], to path: String, _ plan: Plan
    ) throws -> Sample {
        let (_, lap) = try Lap.time {
            try Command.check("curl", ["-sf", "-o", path] + trust + [url], plan: plan)
        }
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        guard size == bytes else { throw BenchmarkError("curl's file has the wrong length") }
        return lap.sample(lap.seconds, count: 1)
    }

    private func download(_ url: String, digest: String, _ lull: LullServer) throws -> Sample {
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

    /// The digest alone, of a file whose pages are in memory.
    private func read(_ file: String, _ digest: String, _ plan: Plan) throws -> Sample {
        let (output, lap) = try Lap.time {
            try Command.check("openssl", ["dgst", "-sha256", "-r", file], plan: plan)
        }
        guard output.hasPrefix(digest) else { throw BenchmarkError("openssl found other bytes") }
        return lap.sample(lap.seconds, count: 1)
    }
}

/// A certificate of its own for 127.0.0.1.
struct Certificate {
    /// The PEM file, for servers and for clients that trust them.
    let file: String
    let key: String

    init(_ plan: Plan, name: String) throws {
        let folder = try plan.makeFolder(name)
        file = "\(folder)/certificate.pem"
        key = "\(folder)/key.pem"
        try Command.check(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
                "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", file,
            ], plan: plan)
    }
}

/// The members of a create's answer.
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
