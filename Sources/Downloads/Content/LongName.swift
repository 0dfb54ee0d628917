// Names of files that are shortened: the ending stays, and two shortened names differ.

/// Cuts names to the length that file systems take.
enum LongName {
    /// The most bytes of a name, which is the limit of most file systems.
    static let bytesAtMost = 255
    /// A suffix of more bytes does not count as an ending.
    private static let endingBytesAtMost = 32

    /// A name of at most 255 bytes: `A-very-long…~3f9c.part1.rar`.
    ///
    /// - Parameter name: any name.
    /// - Returns: the name, or its beginning, a mark of the whole name, and its ending.
    static func cut(_ name: String) -> String {
        guard name.utf8.count > bytesAtMost else { return name }
        var hash: UInt32 = 2_166_136_261
        for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        let digits = String(UInt16(truncatingIfNeeded: hash ^ hash >> 16), radix: 16)
        let mark = "…~" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        return insert(mark, into: name)
    }

    /// A name with a text before its ending, cut between characters so that it stays a name.
    static func insert(_ mark: String, into name: String) -> String {
        let bytes = Array(name.utf8)
        let end = stemEnd(of: bytes)
        let room = bytesAtMost - mark.utf8.count - (bytes.count - end)
        var stem = String(decoding: bytes[..<end], as: UTF8.self)
        while stem.utf8.count > room { stem.removeLast() }
        return stem + mark + String(decoding: bytes[end...], as: UTF8.self)
    }

    /// The place where the ending of a name begins: `.rar`, `.tar.gz`, `.part1.rar`; the end of the
    /// name without one.
    private static func stemEnd(of name: [UInt8]) -> Int {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0,
            name.count - dot <= endingBytesAtMost
        else { return name.count }
        guard let inner = name[..<dot].lastIndex(of: UInt8(ascii: ".")), inner > 0,
            isInnerEnding(name[(inner + 1)..<dot], before: name[(dot + 1)...])
        else { return dot }
        return inner
    }

    /// Whether a component belongs to the ending that follows it: `tar`, a few letters and a number
    /// as in `part1.rar`, or the text before a number as in `7z.001`.
    private static func isInnerEnding(
        _ part: ArraySlice<UInt8>, before ending: ArraySlice<UInt8>
    ) -> Bool {
        let lower = part.map { $0 | 0x20 }
        if lower == Array("tar".utf8) { return true }
        let isNumber =
            !ending.isEmpty
            && ending.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        if isNumber, (1...4).contains(part.count) { return true }
        let letters = lower.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        let digits = part.dropFirst(letters.count)
        return letters.count <= 4 && (1...4).contains(digits.count)
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
