// Character sets other than UTF-8, by iconv of the C library.
internal import CIconv

/// Texts in the character sets of the C library; see iconv(3).
package enum CharacterCoding {
    /// What is done with bytes that are no character of the set.
    package enum Invalid: Sendable {
        /// The text is not converted.
        case refused
        /// Each becomes U+FFFD.
        case replaced
    }

    /// Converts a text to UTF-8.
    ///
    /// - Parameters:
    ///   - bytes: at most 1 GiB.
    ///   - name: the name of the character set, such as `SHIFT_JIS`.
    ///   - invalid: what is done with bytes that are no characters, also at the end.
    /// - Returns: nil for a set that the library does not know, a refused byte, or without memory.
    package static func utf8(
        _ bytes: [UInt8], from name: String, invalid: Invalid
    ) -> [UInt8]? {
        precondition(bytes.count <= 1 << 30, "the room for the result is counted in bytes")
        // No set has characters that grow by more, and U+FFFD takes three bytes.
        let most = bytes.count * 4 + 16
        var isConverted = false
        let converted = unsafe [UInt8](unsafeUninitializedCapacity: most) { room, count in
            let length = unsafe bytes.withUnsafeBufferPointer { text in
                unsafe lull_to_utf8(
                    name, invalid == .replaced ? 1 : 0, text.baseAddress, text.count,
                    room.baseAddress, most)
            }
            isConverted = length >= 0
            count = max(length, 0)
        }
        return isConverted ? converted : nil
    }
}
