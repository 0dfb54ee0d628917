// The resources that this process uses, from /proc/self.
internal import Glibc

/// One reading of this process, see proc(5); nil for a value that cannot be read.
package struct ProcessReading: Equatable, Sendable {
    /// The processor time in user and system mode, in seconds.
    package var cpuSeconds: Double?
    /// The resident memory in bytes.
    package var residentBytes: Int64?
    /// The size of the virtual address space in bytes.
    package var virtualBytes: Int64?
    /// The start of the process, in seconds since 1970-01-01 UTC.
    package var startedAt: Double?
    /// The number of open files and sockets.
    package var openFiles: Int?
    /// The most open files and sockets; nil without a limit.
    package var filesAtMost: Int64?

    /// Reads the values; takes longer with many open files.
    package static func read() -> ProcessReading {
        var reading = ProcessReading()
        let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        if let text = SmallFile.text("/proc/self/stat") {
            let boot = SmallFile.text("/proc/stat", atMost: 1 << 16).flatMap { bootTime(in: $0) }
            reading.take(text, ticks: ticks, pageBytes: Int64(getpagesize()), bootTime: boot)
        }
        reading.openFiles = SmallFile.names(in: "/proc/self/fd", atMost: 1 << 20).count
        reading.filesAtMost = OpenFileLimit.current.map(Int64.init)
        return reading
    }

    /// Reads /proc/self/stat; the name in parentheses may contain spaces and parentheses itself.
    mutating func take(_ stat: String, ticks: Double, pageBytes: Int64, bootTime: Double?) {
        guard let name = stat.lastIndex(of: ")") else { return }
        let fields = stat[name...].split(separator: " ").dropFirst().map(String.init)
        // The first field behind the name is the state, number 3 in proc(5).
        func number(_ place: Int) -> Int64? {
            fields.indices.contains(place - 3) ? Int64(fields[place - 3]) : nil
        }
        if let user = number(14), let system = number(15) {
            cpuSeconds = Double(user + system) / ticks
        }
        if let began = number(22), let bootTime { startedAt = bootTime + Double(began) / ticks }
        virtualBytes = number(23)
        residentBytes = number(24).map { $0 * pageBytes }
    }

    /// Reads the line `btime` of /proc/stat.
    static func bootTime(in stat: String) -> Double? {
        for line in stat.split(separator: "\n") where line.hasPrefix("btime ") {
            return Double(line.dropFirst(6))
        }
        return nil
    }
}
