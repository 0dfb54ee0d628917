// The program that is measured, with a private database in a new folder.
import Foundation

/// A running `lull serve`.
final class LullServer {
    let port: Int
    let data: String
    private let command: Command
    private let plan: Plan

    var pid: Int32 { command.pid }

    /// Starts in a folder of that name and waits until it is ready.
    ///
    /// - Parameters:
    ///   - plan: gives the folder and the instrument.
    ///   - name: the folder's name.
    ///   - settings: further settings beside those that every run has.
    ///   - binary: the program; nil for the plan's.
    ///   - isCounted: whether all its work is counted from its start; if not, `counted` counts.
    /// - Throws: `BenchmarkError` if it does not start.
    init(
        _ plan: Plan, name: String, settings: [String: String] = [:], binary: String? = nil,
        isCounted: Bool = true
    ) throws {
        port = try FreePort.find()
        self.plan = plan
        data = try plan.makeFolder(name)
        let fixed = [
            "LULL_LISTEN": "127.0.0.1:\(port)", "LULL_DATA_DIR": data, "LULL_AUTH": "none",
            "LULL_DOWNLOAD_DESTINATIONS": "public,loopback",
        ]
        command = try Command(
            binary ?? plan.lull, ["serve"], plan: plan, log: "\(data).log",
            environment: fixed.merging(settings) { $1 }
                .merging(plan.instrument(of: "lull")?.environment ?? [:]) { $1 })
        do {
            try eventually("lull is ready; see \(data).log", alive: command) {
                try HTTPConnection(port: port).exchange("GET", "/readyz").status == 200
            }
            if isCounted {
                try plan.instrument(of: "lull")?.attach(to: pid, plan) { try self.logPlace() }
            }
        } catch {
            command.stop()
            throw error
        }
    }

    /// Starts twice: the database has room for the clients of pgbench only after a restart.
    static func roomy(_ plan: Plan, name: String, connections: Int) throws -> LullServer {
        let first = try LullServer(plan, name: name, isCounted: false)
        defer { first.stop() }
        try Command.check(
            "psql", ["-XqAtc", "ALTER SYSTEM SET max_connections = \(connections)"],
            plan: plan, environment: first.database)
        first.stop()
        return try LullServer(plan, name: name, isCounted: false)
    }

    /// Stops the service and its database.
    func stop() {
        do {
            try plan.instrument(of: "lull")?.detach(from: pid) { try self.logPlace() }
        } catch {
            Report.say("  \(error)")
        }
        command.stop()
    }

    /// Does some work, and counts it if the plan has an instrument for Lull.
    func counted<Value>(_ work: () throws -> Value) throws -> Value {
        guard let instrument = plan.instrument(of: "lull") else { return try work() }
        return try instrument.count(pid, plan, log: { try self.logPlace() }, work)
    }

    /// Does the work of a client of the private database, and adds the bytes that it writes into
    /// the write-ahead log if the plan has an instrument for that client.
    func logged<Value>(by client: String, _ plan: Plan, _ work: () throws -> Value) throws -> Value
    {
        guard let instrument = plan.instrument(of: client) else { return try work() }
        let place = try logPlace()
        let value = try work()
        instrument.log = Double(try logPlace() - place)
        return value
    }

    /// The end of the write-ahead log.
    private func logPlace() throws -> Int {
        var plan = plan
        plan.instrument = nil
        return try value("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn", plan: plan)
    }

    /// The members of a download in the API's answers.
    struct Download: Decodable {
        struct Content: Decodable {
            let length: Int64
        }
        let id: String
        let state: String
        let content: Content?
    }

    /// Waits until a download has ended and returns it.
    func end(of id: String) throws -> Download {
        let connection = try HTTPConnection(port: port)
        while true {
            let answer = try connection.exchange("GET", "/v1/downloads/\(id)?wait=60")
            let download: Download = try answer.json()
            switch download.state {
            case "succeeded": return download
            case "waiting", "running": continue
            default: throw BenchmarkError("download \(id) is \(download.state)")
            }
        }
    }

    /// Whether no download waits or runs, of one session or of all.
    func isIdle(session: String? = nil) throws -> Bool {
        struct Page: Decodable { let data: [Download] }
        let session = session.map { "&session=\($0)" } ?? ""
        let answer = try HTTPConnection(port: port).exchange(
            "GET", "/v1/downloads?state=waiting,running&limit=1\(session)")
        return try answer.json(Page.self).data.isEmpty
    }

    /// The value of a metric without labels in `GET /metrics`.
    func metric(_ name: String) throws -> Int {
        let answer = try HTTPConnection(port: port).exchange("GET", "/metrics")
        let line = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix(name + " ") }
        guard let value = line.flatMap({ Int($0.dropFirst(name.count + 1)) }) else {
            throw BenchmarkError("/metrics has no \(name)")
        }
        return value
    }

    /// The variables with which psql and pgbench reach the private database.
    var database: [String: String] {
        [
            "PGHOST": "\(data)/postgres/socket", "PGPORT": "5432", "PGUSER": "lull",
            "PGDATABASE": "lull",
        ]
    }

    /// The variables of `database`, with plans as the ledger's sessions make them:
    /// `ConnectionOptions.reusesPlans`.
    var ledger: [String: String] {
        let settings = [
            "jit=off", "plan_cache_mode=force_generic_plan", "enable_seqscan=off",
            "enable_hashjoin=off", "enable_mergejoin=off", "enable_material=off",
        ]
        return database.merging(["PGOPTIONS": settings.map { "-c \($0)" }.joined(separator: " ")]) {
            $1
        }
    }

    /// The only value that a statement returns.
    func value(_ sql: String, plan: Plan) throws -> Int {
        let text = try Command.check(
            "psql", ["-XAtqc", sql], plan: plan, environment: database)
        guard let value = Int(text.filter { !$0.isWhitespace }) else {
            throw BenchmarkError("\(sql) answered \(text)")
        }
        return value
    }
}

/// Ports that were free a moment ago.
enum FreePort {
    static func find() throws -> Int {
        let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(probe) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(probe, $0, length) + getsockname(probe, $0, &length)
            }
        }
        guard result == 0 else { throw BenchmarkError("no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

/// Repeats a question every 20 ms, for a minute at most, until it holds.
func eventually(_ what: String, alive command: Command, _ holds: () throws -> Bool) throws {
    for _ in 0..<3000 {
        guard command.isRunning else { throw BenchmarkError("ended before \(what)") }
        do {
            if try holds() { return }
        } catch is BenchmarkError {
            // No program listens there yet.
        }
        Thread.sleep(forTimeInterval: 0.02)
    }
    throw BenchmarkError("waited a minute in vain until \(what)")
}
