// The load of the machine: load average, pressure and power, from /proc, /sys and the process's
// cgroup.

/// One reading of the machine; nil for a value that it does not provide.
package struct MachineReading: Equatable, Sendable {
    /// Pressure by resource: the part of the last ten seconds in which a task waited for it, 0 to 1
    /// (Documentation/accounting/psi.rst, `some avg10`).
    package struct Pressure: Equatable, Sendable {
        /// The pressure on the processors.
        package var cpu: Double?
        /// The pressure on reading and writing.
        package var io: Double?
        /// The pressure on memory.
        package var memory: Double?
    }

    /// The load average of the last minute.
    package var load: Double?
    /// The pressure in the process's cgroup, or in the whole machine if the cgroup has no reading.
    package var pressure = Pressure()
    /// Whether the machine runs from a battery.
    package var isOnBattery: Bool?

    /// The kernel's identifier of this boot; empty if it has none.
    package static func bootIdentifier() -> String {
        let text = SmallFile.text("/proc/sys/kernel/random/boot_id") ?? ""
        return String(text.prefix { $0.isASCII && !$0.isWhitespace })
    }

    /// Reads the values from a few small files.
    package static func read() -> MachineReading {
        var reading = MachineReading()
        reading.load = SmallFile.text("/proc/loadavg").flatMap { load(in: $0) }
        let group = SmallFile.text("/proc/self/cgroup").flatMap { cgroup(in: $0) }
        func psi(_ kind: String) -> Double? {
            let own = group.flatMap { SmallFile.text("/sys/fs/cgroup\($0)/\(kind).pressure") }
            return (own ?? SmallFile.text("/proc/pressure/\(kind)")).flatMap { pressure(in: $0) }
        }
        reading.pressure = Pressure(
            cpu: psi("cpu"), io: psi("io"), memory: psi("memory"))
        reading.isOnBattery = isOnBattery()
        return reading
    }

    /// The number of processors that this process may use; 1 if that cannot be read.
    package static func cores() -> Int {
        max(1, SmallFile.text("/proc/self/status").map { cores(in: $0) } ?? 1)
    }

    /// Counts the bits of `Cpus_allowed` in /proc/PID/status.
    static func cores(in text: String) -> Int {
        for line in text.split(separator: "\n") where line.hasPrefix("Cpus_allowed:") {
            return line.dropFirst(13).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
        }
        return 0
    }

    /// Reads the first number of /proc/loadavg.
    static func load(in text: String) -> Double? {
        text.split(separator: " ").first.flatMap { Double($0) }
    }

    /// Reads `some avg10` of a pressure file as a fraction of 1.
    static func pressure(in text: String) -> Double? {
        for line in text.split(separator: "\n") where line.hasPrefix("some ") {
            for word in line.split(separator: " ") where word.hasPrefix("avg10=") {
                return Double(word.dropFirst(6)).map { $0 / 100 }
            }
        }
        return nil
    }

    /// Reads the path of the process's group in /proc/self/cgroup, for cgroup version 2
    /// (`0::/path`).
    static func cgroup(in text: String) -> String? {
        for line in text.split(separator: "\n") where line.hasPrefix("0::/") {
            let path = String(line.dropFirst(3))
            return path == "/" || path.contains("..") ? nil : path
        }
        return nil
    }

    /// Whether there is a battery and no mains supply is online; nil without a battery.
    private static func isOnBattery() -> Bool? {
        let root = "/sys/class/power_supply"
        var hasBattery = false
        var hasMains = false
        for name in SmallFile.names(in: root) {
            switch SmallFile.text("\(root)/\(name)/type") {
            case "Battery\n": hasBattery = true
            case "Mains\n", "USB\n":
                if SmallFile.text("\(root)/\(name)/online") == "1\n" { hasMains = true }
            default: break
            }
        }
        return hasBattery ? !hasMains : nil
    }
}
