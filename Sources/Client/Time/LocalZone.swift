// The time zone of this machine; see tzset(3).
internal import Base
internal import Glibc
internal import Platform

/// Reads the zone that `TZ` names, or that of the machine.
enum LocalZone {
    /// The rules of the zone; UTC if the machine has no setting.
    ///
    /// - Parameter environment: with `TZ`, the name of a zone, a file, or a POSIX rule.
    /// - Returns: the offsets over time.
    /// - Throws: `ClientFailure` for a `TZ` that is none of these.
    static func rules(_ environment: [String: String]) throws(ClientFailure) -> TimeZoneRules {
        guard let name = environment["TZ"] else { return file("/etc/localtime") ?? .utc }
        let zone = name.hasPrefix(":") ? String(name.dropFirst()) : name
        guard !zone.isEmpty, zone != "UTC" else { return .utc }
        let path = zone.hasPrefix("/") ? zone : "/usr/share/zoneinfo/" + zone
        if let rules = file(path) { return rules }
        do throws(TimeZoneError) {
            return try TimeZoneRules(posix: zone)
        } catch {
            throw .usage(
                "TZ: \"\(name)\" is not a time zone that this machine knows, such as "
                    + "Europe/Berlin, nor a rule such as CET-1CEST,M3.5.0,M10.5.0/3")
        }
    }

    /// The name of the zone, such as `Europe/Berlin`; nil for one that has no name.
    ///
    /// - Parameter environment: with `TZ`.
    /// - Returns: a name of the time zone database.
    static func name(_ environment: [String: String]) -> String? {
        if let given = environment["TZ"] {
            let name = given.hasPrefix(":") ? String(given.dropFirst()) : given
            guard !name.isEmpty, name != "UTC" else { return "UTC" }
            return file("/usr/share/zoneinfo/" + name) == nil ? nil : name
        }
        guard let found = unsafe realpath("/etc/localtime", nil) else { return nil }
        defer { unsafe free(found) }
        let path = unsafe String(cString: found)
        return path.firstRange(of: "/zoneinfo/").map { String(path[$0.upperBound...]) }
    }

    private static func file(_ path: String) -> TimeZoneRules? {
        guard let bytes = FileText.bytes(of: path, atMost: 1 << 20) else { return nil }
        do throws(TimeZoneError) {
            return try TimeZoneRules(tzif: bytes)
        } catch {
            return nil
        }
    }
}
