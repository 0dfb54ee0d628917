// Percent-encoding: strict decoding, and encoding.

/// Decodes and encodes percent-encoded text; RFC 3986 section 2.1.
package enum PercentCoding {
    /// Decodes escapes.
    ///
    /// - Parameters:
    ///   - text: bytes of a path segment, or of a name or value in a query.
    ///   - plusIsSpace: true for forms only, where `+` is a space.
    ///   - keepsControls: true where a text may have control characters; U+0000 never is kept.
    /// - Returns: the text; nil for a bad escape, for what is no UTF-8, and for control characters.
    package static func decode(
        _ text: some Collection<UInt8>, plusIsSpace: Bool = false, keepsControls: Bool = false
    ) -> String? {
        decode(bytes: text, plusIsSpace, keepsControls)
    }

    private static func decode(
        bytes text: some Collection<UInt8>, _ plusIsSpace: Bool, _ keepsControls: Bool
    ) -> String? {
        if isPlain(text, plusIsSpace) { return String(decoding: text, as: UTF8.self) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index != text.endIndex {
            var byte = text[index]
            text.formIndex(after: &index)
            if byte == .percent {
                guard let decoded = escape(text, at: &index) else { return nil }
                byte = decoded
            } else if plusIsSpace, byte == 0x2b {
                byte = .space
            }
            let isControl = byte < 0x20 || byte == 0x7f
            guard !isControl || keepsControls && byte != 0 else { return nil }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Decodes a part of a text like the generic method; compiled for this type, because each
    /// request has such parts.
    package static func decode(
        _ text: Substring.UTF8View, plusIsSpace: Bool = false, keepsControls: Bool = false
    ) -> String? {
        decode(bytes: text, plusIsSpace, keepsControls)
    }

    /// Whether there is nothing to decode; compares the bytes of a text without an iterator.
    private static func isPlain(_ text: some Collection<UInt8>, _ plusIsSpace: Bool) -> Bool {
        let found = text.withContiguousStorageIfAvailable { bytes in
            for place in bytes.indices where unsafe needsDecoding(bytes[place], plusIsSpace) {
                return false
            }
            return true
        }
        return found ?? !text.contains { needsDecoding($0, plusIsSpace) }
    }

    private static func needsDecoding(_ byte: UInt8, _ plusIsSpace: Bool) -> Bool {
        byte <= 0x20 || byte >= 0x7f || byte == .percent || (plusIsSpace && byte == 0x2b)
    }

    /// Splits a path into decoded segments.
    ///
    /// - Parameter path: as in `Request.path`.
    /// - Returns: the segments between the slashes, empty ones included (`/a/` is `["a", ""]`);
    ///   nil if the path does not begin with a slash, cannot be decoded, or has `.` or `..` in it.
    package static func segments(ofPath path: String) -> [String]? {
        guard path.utf8.first == .slash else { return nil }
        var result: [String] = []
        for part in path.utf8.dropFirst().split(separator: .slash, omittingEmptySubsequences: false)
        {
            guard let segment = decode(part), segment != ".", segment != ".." else { return nil }
            result.append(segment)
        }
        return result
    }

    /// Encodes the UTF-8 bytes of a text.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - kept: the characters that stay besides letters and digits.
    /// - Returns: ASCII.
    package static func encode(_ text: String, keeping kept: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if byte.isAlphanumeric || kept.utf8.contains(byte) {
                result.append(byte)
            } else {
                result.append(.percent)
                result.append(digit(byte >> 4))
                result.append(digit(byte & 15))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    private static func escape<Bytes: Collection<UInt8>>(
        _ text: Bytes, at index: inout Bytes.Index
    ) -> UInt8? {
        guard index != text.endIndex, let high = text[index].hexValue else { return nil }
        text.formIndex(after: &index)
        guard index != text.endIndex, let low = text[index].hexValue else { return nil }
        text.formIndex(after: &index)
        return UInt8(high * 16 + low)
    }
}
