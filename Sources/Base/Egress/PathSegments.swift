// Operations on paths as bytes.

/// Normalizes and escapes paths.
enum PathSegments {
    /// The path with `.` and `..` resolved (RFC 3986 section 5.2.4); always begins with `/`.
    static func withoutDots(_ path: ArraySlice<UInt8>) -> [UInt8] {
        guard !path.isEmpty else { return [slash] }
        guard mayHoldDots(path) else { return Array(path) }
        var kept: [ArraySlice<UInt8>] = []
        let parts = path.dropFirst().split(separator: slash, omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            switch String(decoding: part, as: UTF8.self) {
            case ".":
                if isLast { kept.append([]) }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append([]) }
            default: kept.append(part)
            }
        }
        return [slash] + kept.joined(separator: [slash])
    }

    /// The bytes with some of them as `%XX`.
    static func percentEncoded(
        _ bytes: some Sequence<UInt8>, where needsIt: (UInt8) -> Bool
    ) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in bytes {
            if needsIt(byte) {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// Whether a segment begins with a dot.
    static func mayHoldDots(_ path: ArraySlice<UInt8>) -> Bool {
        zip(path, path.dropFirst()).contains { $0 == slash && $1 == UInt8(ascii: ".") }
    }

    private static let slash = UInt8(ascii: "/")
}
