// Sizes, rates and durations as a terminal shows them; pure.
internal import Base

/// Formats numbers for people, in few columns.
package enum NumberText {
    /// Formats a size in powers of 1000 with two or three digits: `512 B`, `1.2 kB`, `48 MB`, `3.9
    /// GB`.
    package static func size(_ bytes: Int64) -> String {
        var scale: Int64 = 1
        var power = 0
        let bytes = max(0, bytes)
        while power < ByteCount.largestPower, bytes / scale >= 1000 {
            scale *= 1000
            power += 1
        }
        guard power > 0 else { return "\(bytes) B" }
        let unit = ByteCount.letter(ofPower: power) + "B"
        let whole = bytes / scale
        guard whole < 10 else { return "\(whole) \(unit)" }
        return "\(whole).\(bytes % scale * 10 / scale) \(unit)"
    }

    /// Formats a rate, `48 MB/s`.
    package static func rate(_ bytesPerSecond: Int64) -> String { size(bytesPerSecond) + "/s" }

    /// Formats a duration as a clock, `0:31`, `1:02:03`, with days in front from one day on.
    package static func clock(_ duration: Duration) -> String {
        let seconds = max(0, duration.wholeMilliseconds / 1000)
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        if hours >= 24 { return "\(hours / 24)d \(hours % 24)h" }
        guard hours > 0 else { return "\(minutes):\(two(seconds % 60))" }
        return "\(hours):\(two(minutes)):\(two(seconds % 60))"
    }

    /// Formats a duration in its two largest units, `3h 12m`.
    package static func span(_ duration: Duration) -> String {
        let seconds = max(0, duration.wholeMilliseconds / 1000)
        let units: [(String, Int64)] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]
        guard let first = units.firstIndex(where: { seconds >= $0.1 }) else { return "0s" }
        var text = "\(seconds / units[first].1)\(units[first].0)"
        guard first + 1 < units.count else { return text }
        let rest = seconds % units[first].1 / units[first + 1].1
        if rest > 0 { text += " \(rest)\(units[first + 1].0)" }
        return text
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
