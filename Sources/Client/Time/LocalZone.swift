// The time zone of this machine; see tzset(3).
internal import Core
internal import Glibc
internal import Platform

/// Reads the zone that `TZ` names, or that of the machine.
enum LocalZone {
    /// The rules; of a POSIX rule in `TZ` the offset of today, and UTC where nothing is known.
    static func rules(_ environment: [String: String]) -> TimeZoneRules {
        guard let name = environment["TZ"] else { return file("/etc/localtime") ?? .utc }
        let zone = name.hasPrefix(":") ? String(name.dropFirst()) : name
        guard !zone.isEmpty, zone != "UTC" else { return .utc }
        let path = zone.hasPrefix("/") ? zone : "/usr/share/zoneinfo/" + zone
        return file(path) ?? .fixed(offset: currentOffset())
    }

    private static func file(_ path: String) -> TimeZoneRules? {
        guard let bytes = FileText.bytes(of: path, atMost: 1 << 20) else { return nil }
        do throws(TimeZoneError) {
            return try TimeZoneRules(tzif: bytes)
        } catch {
            return nil
        }
    }

    private static func currentOffset() -> Int {
        var seconds = time_t(SystemClock.wallMicroseconds() / 1_000_000)
        var shown = unsafe tm()
        guard unsafe localtime_r(&seconds, &shown) != nil else { return 0 }
        return unsafe shown.tm_gmtoff
    }
}
