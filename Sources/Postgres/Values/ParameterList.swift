// The parameters of one statement in the layout of libpq.

/// The encoded values of the parameters, back to back.
struct ParameterList {
    /// The declared types, in order.
    let types: [UInt32]
    /// The bytes of all values.
    let bytes: [UInt8]
    /// The range of each value in `bytes`; nil for NULL.
    let ranges: [Range<Int>?]

    /// The most parameters of a statement: the protocol counts them with 16 bits.
    static let countMax = 65_535

    init(_ values: [any ColumnValue]) {
        precondition(values.count <= Self.countMax, "too many parameters; pass arrays to unnest")
        var types: [UInt32] = []
        var bytes: [UInt8] = []
        var ranges: [Range<Int>?] = []
        types.reserveCapacity(values.count)
        ranges.reserveCapacity(values.count)
        for value in values {
            let start = bytes.count
            types.append(type(of: value).columnType.oid)
            ranges.append(value.encode(into: &bytes) ? start..<bytes.count : nil)
        }
        self.types = types
        self.bytes = bytes
        self.ranges = ranges
    }
}
