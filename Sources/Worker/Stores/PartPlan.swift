// The division of a file into the parts of an upload.

/// The parts of a file that is sent to a store.
struct PartPlan: Equatable {
    /// The largest file that is sent with one request.
    static let singleAtMost: Int64 = 16 << 20
    /// The most parts that the protocol allows.
    static let partsAtMost: Int64 = 10_000
    /// The least length of a part but the last one; the protocol demands 5 MiB.
    private static let partAtLeast: Int64 = 8 << 20
    private static let unit: Int64 = 1 << 20

    /// The length of the file in bytes.
    let length: Int64
    /// The length of each part but the last one.
    let partBytes: Int64

    /// The plan of a new upload.
    init(length: Int64) {
        let least = (length + PartPlan.partsAtMost - 1) / PartPlan.partsAtMost
        let rounded = (least + PartPlan.unit - 1) / PartPlan.unit * PartPlan.unit
        self.init(length: length, partBytes: max(PartPlan.partAtLeast, rounded))
    }

    /// The plan of an upload that has begun with parts of a length.
    init(length: Int64, partBytes: Int64) { (self.length, self.partBytes) = (length, partBytes) }

    /// The number of parts.
    var count: Int { Int((length + partBytes - 1) / partBytes) }

    /// The bytes of a part; nil for a number that the file does not have.
    func range(of number: Int) -> Range<Int64>? {
        guard (1...max(1, count)).contains(number) else { return nil }
        let start = Int64(number - 1) * partBytes
        return start..<min(length, start + partBytes)
    }
}
