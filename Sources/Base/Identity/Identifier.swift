// 128-bit identifiers. All but those of events and deliveries begin with their time.

/// A 128-bit identifier, version 7 of RFC 9562: 48 bits of milliseconds, then random bits.
///
/// That of an upload differs in its version, 8, so that every holder of an identifier knows whether
/// it names an upload, and both kinds are in one order of time.
package struct Identifier: Hashable, Sendable, Comparable {
    /// The upper 64 bits.
    package let high: UInt64
    /// The lower 64 bits.
    package let low: UInt64

    /// Puts an identifier together from its bits.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates an identifier with the time and random bits.
    ///
    /// - Parameters:
    ///   - now: the instant it carries; instants before 1970 count as 1970.
    ///   - random: where its 74 random bits come from.
    package init(at now: Timestamp, using random: inout some RandomNumberGenerator) {
        let milliseconds = UInt64(max(0, now.microseconds / 1000)) & 0xffff_ffff_ffff
        high = milliseconds << 16 | 0x7000 | (random.next() as UInt64) & 0x0fff
        low = (random.next() as UInt64) >> 2 | 0x8000_0000_0000_0000
    }

    /// Creates the identifier of an upload with the time and random bits.
    ///
    /// - Parameters:
    ///   - now: the instant it carries; instants before 1970 count as 1970.
    ///   - random: where its 74 random bits come from.
    package init(uploadAt now: Timestamp, using random: inout some RandomNumberGenerator) {
        self = Identifier(at: now, using: &random).ofUpload
    }

    /// The identifier with the version of uploads.
    package var ofUpload: Identifier {
        Identifier(high: high & ~0xf000 | 0x8000, low: low)
    }

    /// Whether it names an upload.
    package var isUpload: Bool { high >> 12 & 0xf == 8 }

    /// The kind of an identifier that names a download or an upload.
    package var transferKind: IdentifierKind { isUpload ? .upload : .download }

    /// The noun for what an identifier of a download or an upload names.
    package var noun: String { isUpload ? "upload" : "download" }

    /// The text form of an identifier that names a download or an upload.
    package var text: String { text(transferKind) }

    /// Reads the text form, such as `dl_` and 26 Crockford digits of either case.
    ///
    /// - Returns: nil if the prefix is another one, a digit is not of the alphabet, or it names an
    ///   upload and should name a download, or the reverse.
    package init?(_ text: String, kind: IdentifierKind) {
        let prefix = kind.rawValue
        let bytes = text.utf8.span
        let start = prefix.utf8.count + 1
        guard bytes.count == start + 26, text.hasPrefix(prefix),
            bytes[start - 1] == UInt8(ascii: "_")
        else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for place in start..<start + 26 {
            guard let digit = Identifier.value(of: bytes[place]), place > start || digit < 8 else {
                return nil
            }
            high = high << 5 | low >> 59
            low = low << 5 | digit
        }
        self.init(high: high, low: low)
        guard
            kind == .upload && isUpload || kind == .download && !isUpload
                || kind != .upload && kind != .download
        else { return nil }
    }

    /// Reads the 26 digits of the text form, without a prefix.
    package init?(digits text: String) {
        self.init(IdentifierKind.request.rawValue + "_" + text, kind: .request)
    }

    /// Reads the text form of an identifier that names a download or an upload.
    ///
    /// - Returns: nil for any other text.
    package init?(transfer text: String) {
        let kind: IdentifierKind = text.hasPrefix("up") ? .upload : .download
        self.init(text, kind: kind)
    }

    /// The 26 digits of the text form, without a prefix.
    package var digits: String {
        String(text(.download).dropFirst(IdentifierKind.download.rawValue.utf8.count + 1))
    }

    /// Reads 32 hexadecimal digits.
    ///
    /// - Returns: nil if the text is something else.
    package init?(hexadecimal text: String) {
        // The parser of integers takes a sign, which is no digit.
        guard text.utf8.count == 32, text.utf8.allSatisfy({ $0 != 0x2b && $0 != 0x2d }),
            let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    /// The text form, for example `dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C`.
    package func text(_ kind: IdentifierKind) -> String {
        // Written in place, because every request writes at least one.
        unsafe String(unsafeUninitializedCapacity: Identifier.textLength) { buffer in
            var room = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
            append(kind, to: &room)
            return unsafe room.finalize(for: buffer)
        }
    }

    /// The most bytes of the text form.
    static let textLength = 32

    /// Appends the text form.
    func append(_ kind: IdentifierKind, to room: inout OutputSpan<UInt8>) {
        for byte in kind.rawValue.utf8 { room.append(byte) }
        room.append(UInt8(ascii: "_"))
        // The 26 digits have 130 bits; the first two are zero.
        room.append(Identifier.digit(high >> 61))
        var high = high << 3 | low >> 61
        var low = low << 3
        for _ in 1..<26 {
            room.append(Identifier.digit(high >> 59))
            high = high << 5 | low >> 59
            low <<= 5
        }
    }

    /// 32 lower-case hexadecimal digits, safe as a file name.
    package var hexadecimal: String {
        unsafe String(unsafeUninitializedCapacity: 32) { room in
            for place in 0..<16 {
                let shift = UInt64(60 - 4 * place)
                unsafe room[place] = Identifier.hexDigit(high >> shift)
                unsafe room[place + 16] = Identifier.hexDigit(low >> shift)
            }
            return 32
        }
    }

    /// Older identifiers come first.
    package static func < (left: Identifier, right: Identifier) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    private static func hexDigit(_ bits: UInt64) -> UInt8 {
        let value = UInt8(bits & 15)
        return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static let alphabet: StaticString = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

    /// The digit of a value below 32.
    @inline(__always)
    private static func digit(_ value: UInt64) -> UInt8 {
        unsafe alphabet.utf8Start[Int(value & 31)]
    }

    /// The value of each byte as an upper-case digit; 255 for none.
    private static let digits: [UInt8] = {
        var digits = [UInt8](repeating: 255, count: 256)
        for value in 0..<32 { digits[Int(digit(UInt64(value)))] = UInt8(value) }
        return digits
    }()

    private static func value(of byte: UInt8) -> UInt64? {
        let upper = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte - 32 : byte
        let digit = digits[Int(upper)]
        return digit < 32 ? UInt64(digit) : nil
    }
}
