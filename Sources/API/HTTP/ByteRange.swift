// The field `Range`.

/// The meaning of a `Range` field for content of a known length (RFC 9110 section 14.2).
enum ByteRange: Equatable, Sendable {
    /// The whole content: no range, several ranges, another unit, or an unreadable field.
    case whole
    /// From the first to the last byte, both counted from 0.
    case part(ClosedRange<Int64>)
    /// The range begins behind the end.
    case unsatisfiable

    /// Reads the field.
    ///
    /// - Parameters:
    ///   - field: the value, such as `bytes=0-99`, `bytes=100-` or `bytes=-100`.
    ///   - length: of the content, in bytes.
    /// - Returns: what to send.
    static func read(_ field: String, length: Int64) -> ByteRange {
        guard length > 0, field.utf8.count <= 256, field.lowercased().hasPrefix("bytes=") else {
            return field.lowercased().hasPrefix("bytes=") ? ofNothing(field) : .whole
        }
        guard let (first, last) = ends(field) else { return .whole }
        switch (first, last) {
        case (nil, nil): return .whole
        case (nil, let count?):
            guard count > 0 else { return .unsatisfiable }
            return .part(max(0, length - count)...(length - 1))
        case (let first?, let last):
            if let last, last < first { return .whole }
            guard first < length else { return .unsatisfiable }
            return .part(first...min(last ?? .max, length - 1))
        }
    }

    /// For empty content a suffix is the whole, and every first byte is behind the end.
    private static func ofNothing(_ field: String) -> ByteRange {
        guard let (first, last) = ends(field) else { return .whole }
        if let first { return (last ?? .max) < first ? .whole : .unsatisfiable }
        return last == 0 ? .unsatisfiable : .whole
    }

    /// The two numbers at the hyphen of the only range; numbers beyond 64 bits count as the
    /// largest.
    ///
    /// Empty elements of the list are ignored (RFC 9110 section 5.6.1.2).
    private static func ends(_ field: String) -> (Int64?, Int64?)? {
        guard field.utf8.count <= 256 else { return nil }
        let text = String(field.utf8.dropFirst(6)) ?? ""
        let ranges = text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
        guard ranges.count == 1 else { return nil }
        let parts = ranges[0].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        let numbers = parts.map { $0.isEmpty ? nil : Int64($0) ?? .max }
        guard numbers[0] != nil || numbers[1] != nil else { return nil }
        return (numbers[0], numbers[1])
    }
}
