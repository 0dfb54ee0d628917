// Reads the files below /usr/share/zoneinfo; other code opens them.

extension TimeZoneRules {
    /// Reads a TZif file of version 2 or later (RFC 9636): its 64-bit table and its footer.
    ///
    /// - Parameter bytes: the whole file.
    /// - Throws: `TimeZoneError` when it is damaged, of version 1, or counts leap seconds.
    package init(tzif bytes: [UInt8]) throws(TimeZoneError) {
        let first = try TZifHeader(bytes, at: 0)
        guard first.version >= UInt8(ascii: "2") else {
            throw TimeZoneError("the time zone file has version 1, whose times have only 32 bits")
        }
        // Data of version 1 is skipped: the 64-bit block has it again.
        let start = TZifHeader.size + first.blockSize(timeSize: 4)
        let header = try TZifHeader(bytes, at: start)
        guard header.leapCount == 0 else {
            throw TimeZoneError("the time zone file counts leap seconds, but POSIX time does not")
        }
        let data = start + TZifHeader.size
        let footer = data + header.blockSize(timeSize: 8)
        guard footer < bytes.count, header.typeCount > 0 else { throw TimeZoneError.damaged }

        var transitions: [Int64] = []
        var offsets: [Int] = []
        let typeIndices = data + header.timeCount * 8
        let types = typeIndices + header.timeCount
        func offset(ofType index: Int) throws(TimeZoneError) -> Int {
            guard index < header.typeCount else { throw TimeZoneError.damaged }
            let value = Int32(truncatingIfNeeded: bytes.bigEndian(at: types + index * 6, size: 4))
            guard value.magnitude < 93_600 else { throw TimeZoneError.damaged }
            return Int(value)
        }
        for index in 0..<header.timeCount {
            let time = bytes.bigEndian(at: data + index * 8, size: 8)
            guard time > transitions.last ?? .min else { throw TimeZoneError.damaged }
            transitions.append(time)
            offsets.append(try offset(ofType: Int(bytes[typeIndices + index])))
        }
        let text = String(decoding: bytes[footer...], as: UTF8.self)
        guard text.first == "\n", text.last == "\n", text.count >= 2 else {
            throw TimeZoneError.damaged
        }
        let rule = String(text.dropFirst().dropLast())
        self.init(
            transitions: transitions, offsets: offsets, firstOffset: try offset(ofType: 0),
            rule: rule.isEmpty ? nil : try PosixTimeZone(parsing: rule))
    }
}

/// The counts at the start of a data block (RFC 9636, section 3.1).
private struct TZifHeader {
    static let size = 44

    let version: UInt8
    let utcIndicatorCount, standardIndicatorCount, leapCount: Int
    let timeCount, typeCount, characterCount: Int

    init(_ bytes: [UInt8], at start: Int) throws(TimeZoneError) {
        guard bytes.count >= start + TZifHeader.size,
            bytes[start...].starts(with: Array("TZif".utf8))
        else { throw TimeZoneError("the file is not a time zone file (TZif)") }
        version = bytes[start + 4]
        func count(_ position: Int) -> Int {
            Int(bytes.bigEndian(at: start + 20 + position * 4, size: 4))
        }
        utcIndicatorCount = count(0)
        standardIndicatorCount = count(1)
        leapCount = count(2)
        timeCount = count(3)
        typeCount = count(4)
        characterCount = count(5)
        // Far above any real zone, and small enough for the sums below not to overflow.
        guard (0..<6).allSatisfy({ count($0) <= 100_000 }) else { throw TimeZoneError.damaged }
    }

    func blockSize(timeSize: Int) -> Int {
        timeCount * (timeSize + 1) + typeCount * 6 + characterCount
            + leapCount * (timeSize + 4) + standardIndicatorCount + utcIndicatorCount
    }
}

extension TimeZoneError {
    fileprivate static let damaged = TimeZoneError("the time zone file is damaged")
}

extension [UInt8] {
    /// A big-endian number of this many bytes.
    fileprivate func bigEndian(at start: Int, size: Int) -> Int64 {
        self[start..<start + size].reduce(0) { $0 << 8 | Int64($1) }
    }
}
