// Writes text in place: memory for all of it is reserved once.

extension [UInt8] {
    /// Appends bytes by a closure that writes them in place.
    ///
    /// - Parameters:
    ///   - most: how many there are at most; more is a bug of the caller.
    ///   - write: puts them, in order.
    @inline(__always)
    mutating func append(atMost most: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        append(addingCapacity: most, initializingWith: write)
    }

    /// Appends a number in decimal digits.
    package mutating func append(decimal number: Int64) {
        append(atMost: Int64.digitsAtMost) { $0.append(decimal: number) }
    }
}

extension Int64 {
    /// The most bytes of a number in decimal digits, with its sign.
    static let digitsAtMost = 20
}

extension OutputSpan<UInt8> {
    /// Copies bytes.
    @inline(__always)
    mutating func append(copying bytes: UnsafeBufferPointer<UInt8>) {
        precondition(bytes.count <= freeCapacity, "the room is too small")
        guard let source = bytes.baseAddress else { return }
        unsafe withUnsafeMutableBufferPointer { room, count in
            guard let start = room.baseAddress else { return }
            unsafe (start + count).initialize(from: source, count: bytes.count)
            count += bytes.count
        }
    }

    /// Copies the bytes of a text constant.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        unsafe append(
            copying: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a number in decimal digits.
    @inline(__always)
    mutating func append(decimal number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        var width = 1
        var bound: UInt64 = 10
        // No magnitude reaches 10^19, so the bound fits.
        while rest >= bound {
            width += 1
            bound *= 10
        }
        let start = count
        append(repeating: UInt8(ascii: "0"), count: width)
        var digits = mutableSpan
        for place in (start..<start + width).reversed() {
            digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}
