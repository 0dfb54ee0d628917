// aria2 as a service, which is the program nearest to Lull.
import Foundation

/// A running aria2c that is controlled by JSON-RPC.
final class Aria2Daemon {
    private let port: Int
    private let command: Command
    private let connection: HTTPConnection
    private let plan: Plan

    var pid: Int32 { command.pid }

    static let arguments = "--no-conf --enable-rpc --file-allocation=none --quiet"

    /// Starts with an empty output folder; `atOnce` is its `-j`.
    init(_ plan: Plan, output: String, atOnce: Int) throws {
        let port = try FreePort.find()
        self.port = port
        self.plan = plan
        let command = try Command(
            "aria2c",
            Self.arguments.split(separator: " ").map(String.init) + [
                "-j", String(atOnce), "--rpc-listen-port=\(port)", "--max-download-result=1000000",
                "--dir=\(output)",
            ], plan: plan, log: "\(output).log")
        self.command = command
        var opened: HTTPConnection?
        try eventually("aria2c answers", alive: command) {
            opened = try HTTPConnection(port: port)
            return true
        }
        guard let opened else { throw BenchmarkError("aria2c does not listen") }
        connection = opened
        try plan.instrument(of: "aria2c")?.attach(to: pid, plan)
    }

    func stop() {
        do {
            try plan.instrument(of: "aria2c")?.detach(from: pid)
        } catch {
            Report.say("  \(error)")
        }
        command.stop()
    }

    /// Queues downloads, 500 a call.
    func add(_ urls: [String]) throws {
        for start in stride(from: 0, to: urls.count, by: 500) {
            let calls = urls[start..<min(start + 500, urls.count)].map {
                #"{"methodName":"aria2.addUri","params":[["\#($0)"]]}"#
            }
            try call("system.multicall", "[\(calls.joined(separator: ","))]")
        }
    }

    /// Waits until no download waits or runs, and looks at this interval.
    func finish(looking interval: Double = 0.02) throws {
        struct Status: Decodable {
            struct Result: Decodable {
                let numActive: String
                let numWaiting: String
            }
            let result: Result
        }
        while true {
            let status: Status = try call("aria2.getGlobalStat", "").json()
            if status.result.numActive == "0", status.result.numWaiting == "0" { return }
            guard command.isRunning else { throw BenchmarkError("aria2c ended") }
            Thread.sleep(forTimeInterval: interval)
        }
    }

    @discardableResult
    private func call(_ method: String, _ parameter: String) throws -> HTTPAnswer {
        let body = #"{"jsonrpc":"2.0","id":"b","method":"\#(method)","params":[\#(parameter)]}"#
        let answer = try HTTPConnection(port: port).exchange("POST", "/jsonrpc", body: body)
        guard answer.status == 200 else {
            throw BenchmarkError("aria2c answered \(answer.status)")
        }
        return answer
    }
}
