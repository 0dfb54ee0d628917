// One field line of a request.

/// The ranges of the name and the value of a field line; RFC 9112 section 5.
struct FieldLine {
    var name: Range<Int>
    var value: Range<Int>

    /// Reads a line without its line end strictly: no folding, no space before the colon.
    static func parse(_ line: Span<UInt8>) throws(Rejection) -> FieldLine {
        var colon = 0
        while colon < line.count, line[colon].isToken { colon += 1 }
        guard colon > 0, colon < line.count, line[colon] == .colon else {
            throw .malformed("A header line is not a name, a colon and a value.")
        }
        var index = colon + 1
        while index < line.count {
            guard line[index].isFieldValue else {
                throw .malformed("A header value has a control character.")
            }
            index += 1
        }
        let value = line.extracting((colon + 1)..<line.count).trimmed
        return FieldLine(
            name: 0..<colon,
            value: (value.lowerBound + colon + 1)..<(value.upperBound + colon + 1))
    }
}
