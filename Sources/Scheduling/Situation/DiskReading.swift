// The free space on the content's volume, as a value that admission decides by.
internal import Base

/// One reading of the volume, and the bytes that running downloads still need.
package struct DiskReading: Equatable, Sendable {
    /// Bytes that are free.
    package var free: Int64
    /// Bytes that the whole volume has.
    package var total: Int64
    /// Bytes that are kept free: no download begins below that.
    package var reserve: Int64
    /// Missing bytes of running downloads.
    package var promised: Int64
    /// The error of a disk that does not work, one sentence; nil while it works.
    package var trouble: String?

    /// Creates a value with all its members.
    package init(
        free: Int64, total: Int64, reserve: Int64, promised: Int64 = 0, trouble: String? = nil
    ) {
        self.free = free
        self.total = total
        self.reserve = reserve
        self.promised = promised
        self.trouble = trouble
    }

    /// Bytes that a download may need to begin now; 0 if none may begin.
    package var room: Int64 { trouble == nil ? max(0, spare) : 0 }

    /// Bytes that have to become free before anything may begin; 0 while there is room.
    package var shortfall: Int64 { spare > 0 ? 0 : 1 - spare }

    /// Free bytes beyond reserve and promises; negative if other programs have taken some of these.
    private var spare: Int64 {
        let (kept, overflowed) = reserve.addingReportingOverflow(promised)
        return overflowed ? -free : free - kept
    }

    /// Whether nothing that needs room may begin, not even a download of unknown length.
    package var isFull: Bool { room <= 0 }

    /// Whether a download that needs this many bytes may begin.
    ///
    /// - Parameter need: the bytes that it still expects; 0 if unknown.
    /// - Returns: false below the reserve, and where it would take of that or of what is promised.
    package func admits(_ need: Int64) -> Bool { !isFull && need <= room }

    /// Counts the bytes of a download that begins now.
    package mutating func promise(_ bytes: Int64) {
        let (sum, overflowed) = promised.addingReportingOverflow(max(0, bytes))
        promised = overflowed ? .max : sum
    }

    /// The default reserve: 5 % of the volume, at least 1 GiB, at most 50 GiB, and never more than
    /// a tenth of the volume, so that small volumes can be used.
    package static func standardReserve(total: Int64) -> Int64 {
        min(max(1 << 30, min(total / 20, 50 << 30)), total / 10)
    }

    /// The reason why a download that needs this many bytes does not begin, in one sentence.
    package func sentence(need: Int64) -> String {
        if let trouble { return "the disk does not work: \(trouble)" }
        let (whole, overflowed) = need.addingReportingOverflow(reserve)
        if overflowed || whole > total {
            return "it needs \(text(need)), more than the volume can hold: the volume has "
                + "\(text(total)), of which \(text(reserve)) stay free"
        }
        let missing = max(need, 1) - spare
        return "the volume has \(text(free)) free, of which \(text(reserve)) stay free and "
            + "\(text(promised)) are promised to running downloads; "
            + (need > 0 ? "it needs \(text(need)), so " : "") + "\(text(missing)) are missing"
    }

    /// As `sentence(need:)`, without the figures of the volume, which all apps share.
    func sentenceWithoutFigures(need: Int64) -> String {
        if trouble != nil { return "the disk does not work" }
        let (whole, overflowed) = need.addingReportingOverflow(reserve)
        let size = need > 0 ? "the \(text(need)) that it needs" : "it"
        return overflowed || whole > total
            ? "the volume cannot hold \(size)" : "the volume has no room for \(size) now"
    }

    /// A number of bytes for people, such as `7.5 GB`; rounded up.
    private func text(_ bytes: Int64) -> String {
        var (rest, power) = (Double(max(0, bytes)), 0)
        while rest >= 1000, power < ByteCount.largestPower {
            rest /= 1000
            power += 1
        }
        let tenths = Int64((rest * 10).rounded(.up))
        let number = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
        return "\(number) \(ByteCount.letter(ofPower: power))B"
    }
}
