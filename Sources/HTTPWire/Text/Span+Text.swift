// Comparing and reading spans of bytes without copying them.

extension Span<UInt8> {
    /// Whether the bytes are exactly these ASCII characters.
    @inline(__always) func equals(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && starts(with: text)
    }

    /// Whether the bytes begin with these ASCII characters.
    @inline(__always) func starts(with text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { expected in
            for index in 0..<expected.count where unsafe self[index] != expected[index] {
                return false
            }
            return true
        }
    }

    /// Whether the bytes are these characters in either case; the characters are given in lower
    /// case.
    @inline(__always) func equalsIgnoringCase(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && startsIgnoringCase(with: text)
    }

    /// Whether the bytes begin with these characters in either case; the characters are given in
    /// lower case.
    @inline(__always) func startsIgnoringCase(with text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { expected in
            for index in 0..<expected.count
            where unsafe self[index].asciiLowercased != expected[index] {
                return false
            }
            return true
        }
    }

    /// The bytes as text; every caller has checked that they are ASCII.
    var text: String {
        unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the next element of a comma-separated list that is not empty, without spaces around
    /// it.
    ///
    /// Empty elements are skipped, as a recipient has to (RFC 9110 section 5.6.1.2); how many there
    /// may be is bounded by the length of a field line.
    ///
    /// - Parameter start: where to look, moved behind the element.
    /// - Returns: the range of the element; nil at the end of the list.
    func nextElement(from start: inout Int) -> Range<Int>? {
        while start < count {
            var end = start
            while end < count, self[end] != .comma { end += 1 }
            let place = extracting(start..<end).trimmed
            let element = (place.lowerBound + start)..<(place.upperBound + start)
            start = end + 1
            if !element.isEmpty { return element }
        }
        return nil
    }

    /// The range without spaces and tabs at both ends (OWS, RFC 9110 section 5.6.3).
    var trimmed: Range<Int> {
        var start = 0
        var end = count
        while start < end, self[start] == .space || self[start] == .tab { start += 1 }
        while end > start, self[end - 1] == .space || self[end - 1] == .tab { end -= 1 }
        return start..<end
    }
}
