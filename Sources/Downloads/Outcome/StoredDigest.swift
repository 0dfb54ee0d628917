// The stored form of a SHA-256, a third shorter than the shown one.
internal import Base

/// A SHA-256 as 64 lower-case hexadecimal digits; stored as 43 digits of base 64.
struct StoredDigest: MemberValue {
    /// The digits of base 64 for 32 bytes, without the padding, which is always the same.
    private static let storedCount = 43

    /// The hexadecimal digits; any other text is stored as it is.
    let hexadecimal: String

    init(_ hexadecimal: String) { self.hexadecimal = hexadecimal }

    /// Reads the hexadecimal or the stored form.
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
        guard form == .stored, isSHA256 else { return writer.write(hexadecimal) }
        writer.write(verbatim: ShortDigits(of: hexadecimal))
    }

    private var isSHA256: Bool {
        hexadecimal.utf8.count == DigestAlgorithm.sha256.digitCount
            && hexadecimal.utf8.allSatisfy { StoredDigest.value(of: $0) != nil }
    }

    /// The value of a lower-case hexadecimal digit; nil for another byte.
    fileprivate static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// Hexadecimal digits as a JSON text of base 64 without padding: two digits for each three.
private struct ShortDigits: Sequence, IteratorProtocol {
    private enum Place { case opening, inside, behind }

    private var digits: String.UTF8View.Iterator
    private var place = Place.opening
    /// The second digit of a pair that was computed.
    private var second: UInt8?

    init(of hexadecimal: String) { digits = hexadecimal.utf8.makeIterator() }

    mutating func next() -> UInt8? {
        switch place {
        case .opening:
            place = .inside
            return UInt8(ascii: "\"")
        case .inside:
            if let second {
                self.second = nil
                return Base64.digit(second)
            }
            if let first = four() {
                guard let middle = four() else { return Base64.digit(first << 2) }
                second = (middle & 3) << 4 | (four() ?? 0)
                return Base64.digit(first << 2 | middle >> 2)
            }
            place = .behind
            return UInt8(ascii: "\"")
        case .behind: return nil
        }
    }

    /// The next four bits.
    private mutating func four() -> UInt8? { digits.next().flatMap { StoredDigest.value(of: $0) } }
}
