// How busy the machine is: load, pressure and power, from /proc, /sys and the own cgroup.
internal import Glibc

/// One reading of the machine; what it does not have is nil.
package struct MachineReading: Equatable, Sendable {
    /// Pressure of a kind: the part of ten seconds in which something waited, 0 to 1
    /// (Documentation/accounting/psi.rst, `some avg10`).
    package struct Pressure: Equatable, Sendable {
        /// For a processor.
        package var cpu: Double?
        /// For reading and writing.
        package var io: Double?
        /// For memory.
        package var memory: Double?
    }

    /// The load average of a minute.
    package var load: Double?
    /// Of the own cgroup, else of the machine.
    package var pressure = Pressure()
    /// Whether the machine runs from a battery.
    package var isOnBattery: Bool?

    /// Reads the machine; a few small files.
    package static func read() -> MachineReading {
        var reading = MachineReading()
        reading.load = text("/proc/loadavg").flatMap { load(in: $0) }
        let group = text("/proc/self/cgroup").flatMap { cgroup(in: $0) }
        func psi(_ kind: String) -> Double? {
            let own = group.flatMap { text("/sys/fs/cgroup\($0)/\(kind).pressure") }
            return (own ?? text("/proc/pressure/\(kind)")).flatMap { pressure(in: $0) }
        }
        reading.pressure = Pressure(
            cpu: psi("cpu"), io: psi("io"), memory: psi("memory"))
        reading.isOnBattery = isOnBattery()
        return reading
    }

    /// The processors that this process may use; 1 where that cannot be read.
    package static func cores() -> Int {
        max(1, text("/proc/self/status").map { cores(in: $0) } ?? 1)
    }

    /// The bits of `Cpus_allowed` in /proc/PID/status.
    static func cores(in text: String) -> Int {
        for line in text.split(separator: "\n") where line.hasPrefix("Cpus_allowed:") {
            return line.dropFirst(13).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
        }
        return 0
    }

    /// The first number of /proc/loadavg.
    static func load(in text: String) -> Double? {
        text.split(separator: " ").first.flatMap { Double($0) }
    }

    /// `some avg10` of a pressure file, in parts of 1.
    static func pressure(in text: String) -> Double? {
        for line in text.split(separator: "\n") where line.hasPrefix("some ") {
            for word in line.split(separator: " ") where word.hasPrefix("avg10=") {
                return Double(word.dropFirst(6)).map { $0 / 100 }
            }
        }
        return nil
    }

    /// The path of the own group in /proc/self/cgroup, of the second version (`0::/path`).
    static func cgroup(in text: String) -> String? {
        for line in text.split(separator: "\n") where line.hasPrefix("0::/") {
            let path = String(line.dropFirst(3))
            return path == "/" || path.contains("..") ? nil : path
        }
        return nil
    }

    /// Some supply of the mains that is not there, while a battery is; nil without a battery.
    private static func isOnBattery() -> Bool? {
        let root = "/sys/class/power_supply"
        var hasBattery = false
        var hasMains = false
        for name in names(in: root) {
            switch text("\(root)/\(name)/type") {
            case "Battery\n": hasBattery = true
            case "Mains\n", "USB\n":
                if text("\(root)/\(name)/online") == "1\n" { hasMains = true }
            default: break
            }
        }
        return hasBattery ? !hasMains : nil
    }

    private static func names(in path: String) -> [String] {
        guard let directory = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while names.count < 64, let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(cString: $0)
                }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    /// The beginning of a small file; nil if it cannot be read.
    static func text(_ path: String) -> String? {
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let file = FileDescriptor(owning: number)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe Glibc.read(file.rawValue, $0.baseAddress, $0.count)
        }
        guard count >= 0 else { return nil }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
