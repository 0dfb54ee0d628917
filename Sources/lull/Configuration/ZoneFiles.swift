// The time zones of the system (tzfile(5)).
internal import Base
internal import Synchronization

/// Reads the rules of time zones by name, each once; see tzfile(5).
final class ZoneFiles: Sendable {
    private let known = Mutex<[String: TimeZoneRules]>(["UTC": .utc])

    /// The rules of a zone; nil for a name that the system does not have.
    func rules(of name: String) -> TimeZoneRules? {
        if let rules = known.withLock({ $0[name] }) { return rules }
        let isName =
            name.utf8.count <= 64 && !name.hasPrefix("/") && !name.contains("..")
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"),
                    UInt8(ascii: "-"), UInt8(ascii: "+"):
                    true
                default: false
                }
            }
        guard isName,
            let bytes = TextFile.read("/usr/share/zoneinfo/" + name, bytesAtMost: 1 << 20)
        else { return nil }
        do throws(TimeZoneError) {
            let rules = try TimeZoneRules(tzif: bytes)
            known.withLock { $0[name] = rules }
            return rules
        } catch {
            return nil
        }
    }
}
