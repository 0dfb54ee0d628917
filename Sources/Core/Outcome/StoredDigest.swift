// How a SHA-256 is stored: a third shorter than it is shown.

/// A SHA-256 as 64 lower-case hexadecimal digits, of which 43 digits of base 64 are stored.
struct StoredDigest: MemberValue {
    /// Base 64 of 32 bytes, without the padding that always follows.
    private static let storedCount = 43

    /// The hexadecimal digits; any other text is stored as it is.
    let hexadecimal: String

    init(_ hexadecimal: String) { self.hexadecimal = hexadecimal }

    /// Reads either form.
    init?(stored value: StoredJSON) {
        guard let text = value.stringValue else { return nil }
        if text.utf8.count == StoredDigest.storedCount, let bytes = Base64.decode(text + "="),
            let digest = ExpectedDigest(.sha256, bytes: bytes)
        {
            hexadecimal = digest.hexadecimal
        } else {
            hexadecimal = text
        }
    }

    func write(to writer: inout JSONWriter, as form: MemberForm) {
        guard form == .stored, let bytes else { return writer.write(hexadecimal) }
        writer.write(Base64.encode(bytes, isPadded: false))
    }

    /// The bytes; nil where the digits are not those of a SHA-256.
    private var bytes: [UInt8]? {
        guard hexadecimal.utf8.count == DigestAlgorithm.sha256.digitCount else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        var high: UInt8?
        for digit in hexadecimal.utf8 {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }
}
