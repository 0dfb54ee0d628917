// The figures of one process without its children.
import Foundation

/// The resources that a process has used; see proc_pid_stat(5) and proc_pid_status(5).
struct ProcessFigures {
    /// Processor time, user and system.
    let cpuSeconds: Double
    /// The largest resident memory at any time.
    let peakBytes: Int

    init(of pid: Int32) throws {
        let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        // The name stands in brackets and may have blanks.
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]),
            let kibibytes = peak?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { throw BenchmarkError("/proc/\(pid) cannot be read") }
        cpuSeconds = (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        peakBytes = kibibytes << 10
    }
}

/// Room for many connections.
enum FileLimit {
    /// Raises the limit of open files up to the allowed one; servers inherit it.
    static func raise(to count: Int) throws {
        var files = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(resource, &files) == 0 else { throw BenchmarkError("getrlimit") }
        files.rlim_cur = files.rlim_max
        guard unsafe setrlimit(resource, &files) == 0, files.rlim_max >= rlim_t(count) else {
            throw BenchmarkError("this needs ulimit -n \(count)")
        }
    }
}
