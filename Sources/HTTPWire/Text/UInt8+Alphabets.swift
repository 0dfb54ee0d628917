// The alphabets of RFC 9110 section 5.6 and RFC 3986 section 2.

extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0a
    static let carriageReturn: UInt8 = 0x0d
    static let space: UInt8 = 0x20
    static let quote: UInt8 = 0x22
    static let percent: UInt8 = 0x25
    static let comma: UInt8 = 0x2c
    static let period: UInt8 = 0x2e
    static let slash: UInt8 = 0x2f
    static let colon: UInt8 = 0x3a
    static let semicolon: UInt8 = 0x3b
    static let equals: UInt8 = 0x3d
    static let question: UInt8 = 0x3f
    static let openingBracket: UInt8 = 0x5b
    static let backslash: UInt8 = 0x5c
    static let closingBracket: UInt8 = 0x5d

    /// The lower-case letter of an upper-case one, every other byte as it is.
    @inline(__always) var asciiLowercased: UInt8 {
        self >= 0x41 && self <= 0x5a ? self | 0x20 : self
    }

    @inline(__always) var isDigit: Bool { self >= 0x30 && self <= 0x39 }

    @inline(__always) var isAlphanumeric: Bool {
        isDigit || (self | 0x20 >= 0x61 && self | 0x20 <= 0x7a)
    }

    /// Whether the byte is a `tchar`: a character of a method or a field name.
    @inline(__always) var isToken: Bool {
        if isAlphanumeric { return true }
        switch self {
        // ! # $ % & ' * + - . ^ _ ` | ~
        case 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2d, 0x2e, 0x5e...0x60, 0x7c, 0x7e: return true
        default: return false
        }
    }

    /// Whether the byte may stand in a path: `pchar`, `/` or `%`; escapes are checked elsewhere.
    @inline(__always) var isPath: Bool {
        if isAlphanumeric { return true }
        switch self {
        // ! $ % & ' ( ) * + , - . / : ; = @ _ ~
        case 0x21, 0x24...0x2f, 0x3a, 0x3b, 0x3d, 0x40, 0x5f, 0x7e: return true
        default: return false
        }
    }

    /// Whether the byte is `[` or `]`.
    @inline(__always) var isBracket: Bool { self == 0x5b || self == 0x5d }

    /// Whether the byte may stand in a field value: visible ASCII, space, tab and opaque bytes from
    /// 0x80.
    @inline(__always) var isFieldValue: Bool {
        (self >= 0x20 && self != 0x7f) || self == .tab
    }

    /// The value of a hexadecimal digit, or nil.
    @inline(__always) var hexValue: Int? {
        switch self {
        case 0x30...0x39: Int(self) - 0x30
        case 0x41...0x46: Int(self) - 0x37
        case 0x61...0x66: Int(self) - 0x57
        default: nil
        }
    }
}
