// The resources that a process and its database have used, in numbers that other programs do not
// move.
import Foundation

/// One reading of the counters of a server; the difference of two is the use between them.
struct Counters {
    /// Processor time of the process alone, in seconds.
    let own: Double
    /// Processor time with that of its private database, in seconds.
    let all: Double
    /// Voluntary context switches of the threads that exist.
    let switches: [Int32: Int]
    /// Bytes of the write-ahead log.
    let log: Int
    let instant = ContinuousClock.now

    /// Reads the counters of a server.
    init(_ server: LullServer, _ plan: Plan) throws {
        log = try server.value("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn", plan: plan)
        own = try ProcessFigures(of: server.pid).cpuSeconds
        all = try ProcessorTime(servers: [server.pid]).measured
        switches = try Self.switches(of: server.pid)
    }

    /// Voluntary context switches of each thread of a process.
    static func switches(of pid: Int32) throws -> [Int32: Int] {
        var switches: [Int32: Int] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task") {
            // A thread that has ended has no file any more.
            guard let thread = Int32(name),
                let data = FileManager.default.contents(
                    atPath: "/proc/\(pid)/task/\(name)/status"),
                let line = String(decoding: data, as: UTF8.self).split(separator: "\n")
                    .first(where: { $0.hasPrefix("voluntary_ctxt_switches:") }),
                let count = line.split(separator: "\t").last.flatMap({ Int($0) })
            else { continue }
            switches[thread] = count
        }
        return switches
    }

    /// The number of times that threads went to sleep since an earlier reading.
    static func switches(from earlier: [Int32: Int], to later: [Int32: Int]) -> Int {
        later.reduce(0) { $0 + $1.value - earlier[$1.key, default: 0] }
    }

    /// The use since an earlier reading, for each of this many units of work.
    func used(since earlier: Counters, units: Int) -> [Measure: Double] {
        let units = Double(units)
        return [
            .ownTime: (own - earlier.own) * 1_000_000 / units,
            .allTime: (all - earlier.all) * 1_000_000 / units,
            .switches: Double(Self.switches(from: earlier.switches, to: switches)) / units,
            .log: Double(log - earlier.log) / units,
            .rate: units / ((instant - earlier.instant) / .seconds(1)),
        ]
    }
}

/// The measures of a build.
enum Measure: String, CaseIterable, Encodable {
    case rate = "units a second"
    case ownTime = "us CPU of lull"
    case allTime = "us CPU with PostgreSQL"
    case switches = "voluntary context switches"
    case calls = "system calls"
    case allocations = "allocations"
    case log = "WAL bytes"
    case statements = "PostgreSQL statements"
    case wakes = "wakes a second"
    case stop = "ms to stop"
}
