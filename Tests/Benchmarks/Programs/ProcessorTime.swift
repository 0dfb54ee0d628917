// The use of the processors by program: on a shared machine a wall clock alone proves little.
import Foundation

/// Processor time in seconds since some moment in the past; see proc_pid_stat(5) and proc_stat(5).
struct ProcessorTime {
    /// The time used by all processes and by the kernel.
    let machine: Double
    /// The time used by this program and all programs that it started.
    let own: Double
    /// The time used by the measured processes and their children.
    let measured: Double
    /// The time of this reading.
    let instant = ContinuousClock.now

    /// Reads the times; without servers the commands that have ended are the measured processes.
    init(servers: [Int32]) throws {
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        let table = try ProcessTable()
        let line = try String(contentsOfFile: "/proc/stat", encoding: .utf8).prefix { $0 != "\n" }
        // user, nice, system, idle, iowait, irq, softirq
        let fields = line.split(separator: " ").dropFirst().compactMap { Double($0) }
        machine = (fields[0] + fields[1] + fields[2] + fields[5] + fields[6]) / ticks
        own = Double(table.ticks(under: [getpid()])) / ticks
        if servers.isEmpty {
            var usage = rusage()
            guard unsafe getrusage(RUSAGE_CHILDREN.rawValue, &usage) == 0 else {
                throw BenchmarkError("getrusage failed")
            }
            measured = usage.ru_utime.seconds + usage.ru_stime.seconds
        } else {
            measured = Double(table.ticks(under: servers)) / ticks
        }
    }
}

/// Every process with its parent and its time.
private struct ProcessTable {
    private var ticks: [Int32: Int] = [:]
    private var children: [Int32: [Int32]] = [:]

    init() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
            // The time of a process that has ended is in its parent's sum already.
            guard let pid = Int32(name),
                let data = FileManager.default.contents(
                    atPath: "/proc/\(name)/stat")
            else { continue }
            let text = String(decoding: data, as: UTF8.self)
            // The name stands in brackets and may have blanks.
            guard let end = text.lastIndex(of: ")") else { continue }
            let fields = text[end...].split(separator: " ").dropFirst()
                .map { Int($0) ?? 0 }
            guard fields.count > 14 else { continue }
            ticks[pid] = fields[11...14].reduce(0, +)
            children[Int32(fields[1]), default: []].append(pid)
        }
    }

    /// The time of these processes and of all their descendants.
    func ticks(under roots: [Int32]) -> Int {
        var sum = 0
        var open = roots
        while let pid = open.popLast() {
            sum += ticks[pid] ?? 0
            open += children[pid] ?? []
        }
        return sum
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1_000_000 }
}
