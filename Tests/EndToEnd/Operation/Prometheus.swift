// A real Prometheus beside the service, with its alerts without their waits.
import Foundation

/// A server on a loopback port that scrapes every second.
actor Prometheus {
    private let base: String
    private let scratch: Scratch
    private let port: Int
    private var child: ChildProcess?

    /// Prepares a server that scrapes these base URLs; it does not run yet.
    init(in scratch: Scratch, targets: [String]) async throws {
        self.scratch = scratch
        port = try await freePort()
        base = "http://127.0.0.1:\(port)"
        _ = try scratch.folder("prometheus")
        let rules = String(
            decoding: try Data(
                contentsOf: URL(filePath: Repository.path("docker/prometheus/alerts.yaml"))),
            as: UTF8.self)
        try scratch.write(
            rules.replacing(/for: [0-9]+[mh]/, with: "for: 0s"), to: "prometheus/alerts.yaml")
        let hosts = targets.map { "\"\($0.replacing("http://", with: ""))\"" }
        try scratch.write(
            """
            global: {scrape_interval: 1s, evaluation_interval: 1s}
            rule_files: [alerts.yaml]
            scrape_configs:
              - job_name: lull
                static_configs: [{targets: [\(hosts.joined(separator: ", "))]}]

            """, to: "prometheus/prometheus.yaml")
    }

    /// Starts the server and waits until it is ready.
    func start() async throws {
        let child = try ChildProcess(
            "/usr/bin/env",
            [
                "prometheus", "--config.file=\(scratch.file("prometheus/prometheus.yaml"))",
                "--storage.tsdb.path=\(scratch.file("prometheus/data"))",
                "--web.listen-address=127.0.0.1:\(port)",
            ], environment: Environment.plain, log: scratch.file("prometheus.log"))
        self.child = child
        try await eventually("Prometheus at \(base)") {
            guard child.isRunning else {
                throw HarnessError("Prometheus ended: \(try scratch.read("prometheus.log"))")
            }
            return try await Curl.get("\(base)/-/ready").status == 200 ? () : nil
        }
    }

    /// Ends the server.
    func stop() async {
        _ = await child?.stop()
        child = nil
    }

    /// The present value of an expression.
    ///
    /// - Returns: its number; for an expression that need not be a single number 0 if it can be
    ///   evaluated;
    ///   nil if it cannot.
    func value(of expression: String, isOneNumber: Bool = true) async throws -> Double? {
        let answered = try await ChildProcess.run(
            "curl", ["-sG", "\(base)/api/v1/query", "--data-urlencode", "query=\(expression)"])
        guard isOneNumber else {
            return answered.output.hasPrefix(#"{"status":"success""#) ? 0 : nil
        }
        let value = answered.output.firstMatch(of: /"value":\[[0-9.]+,"([^"]+)"\]/)
        return value.flatMap { Double($0.output.1) }
    }

    /// Whether an alert fires.
    func fires(_ name: String) async throws -> Bool {
        try await value(of: "sum(ALERTS{alertname=\"\(name)\",alertstate=\"firing\"})") != nil
    }
}
