// The character sets that feeds are written in.
internal import XML

/// A character set that is known to the reader of feeds.
struct FeedCharset: Equatable {
    /// The name by which iconv(3) knows it.
    let name: String
    /// Whether a character may have several bytes, so that bytes of it may look like UTF-8.
    let isWide: Bool

    static let utf8 = FeedCharset(known: "UTF-8", isWide: true)
    static let windows1252 = FeedCharset(known: "WINDOWS-1252", isWide: false)

    private init(known name: String, isWide: Bool) {
        self.name = name
        self.isWide = isWide
    }

    /// The set of a name in small letters, as feeds and servers write it; nil for others.
    init?(_ name: String) {
        let short = name.filter { $0.isLetter || $0.isNumber }
        if let known = FeedCharset.named[short] {
            self = known
            return
        }
        let numbered = [
            ("iso8859", "ISO-8859-", 2...16), ("windows", "WINDOWS-", 874...1258),
            ("cp", "WINDOWS-", 874...1258),
        ]
        for (prefix, full, numbers) in numbered {
            guard short.hasPrefix(prefix), let number = Int(short.dropFirst(prefix.count)),
                numbers.contains(number)
            else { continue }
            self.init(known: "\(full)\(number)", isWide: false)
            return
        }
        return nil
    }

    /// The sets with names of their own, by the letters and digits of what they are called.
    private static let named: [String: FeedCharset] = {
        let narrow = [
            "iso88591": "WINDOWS-1252", "latin1": "WINDOWS-1252", "usascii": "WINDOWS-1252",
            "ascii": "WINDOWS-1252", "koi8r": "KOI8-R", "koi8u": "KOI8-U",
            "macintosh": "MACINTOSH", "tis620": "TIS-620",
        ]
        let wide = [
            "utf8": "UTF-8", "utf16": "UTF-16LE", "utf16le": "UTF-16LE", "utf16be": "UTF-16BE",
            "shiftjis": "CP932", "xsjis": "CP932", "sjis": "CP932", "windows31j": "CP932",
            "eucjp": "EUC-JP", "iso2022jp": "ISO-2022-JP", "euckr": "CP949", "ksc56011987": "CP949",
            "gb2312": "GB18030", "gbk": "GB18030", "gb18030": "GB18030", "big5": "BIG5-HKSCS",
        ]
        return Dictionary(
            uniqueKeysWithValues: narrow.map { ($0, FeedCharset(known: $1, isWide: false)) }
                + wide.map { ($0, FeedCharset(known: $1, isWide: true)) })
    }()

    /// The text in UTF-8; nil if a byte does not fit and is refused.
    func decoded(_ bytes: [UInt8], invalid: CharacterCoding.Invalid) -> [UInt8]? {
        guard self == .utf8 else {
            return CharacterCoding.utf8(bytes, from: name, invalid: invalid)
        }
        if String(validating: bytes, as: UTF8.self) != nil { return bytes }
        return invalid == .refused ? nil : Array(String(decoding: bytes, as: UTF8.self).utf8)
    }

    /// The set that a byte order mark names, and the length of the mark.
    static func marked(_ bytes: [UInt8]) -> (charset: FeedCharset, length: Int)? {
        let marks: [([UInt8], String)] = [
            ([0xef, 0xbb, 0xbf], "UTF-8"), ([0xff, 0xfe, 0, 0], "UTF-32LE"),
            ([0, 0, 0xfe, 0xff], "UTF-32BE"), ([0xff, 0xfe], "UTF-16LE"),
            ([0xfe, 0xff], "UTF-16BE"),
        ]
        guard let mark = marks.first(where: { bytes.starts(with: $0.0) }) else { return nil }
        return (FeedCharset(known: mark.1, isWide: true), mark.0.count)
    }

    /// The set of a document whose first characters are written in two bytes each, without a mark.
    static func guessed(_ bytes: [UInt8]) -> FeedCharset? {
        for first in [UInt8(ascii: "<"), UInt8(ascii: "{")] {
            if bytes.starts(with: [first, 0]) { return FeedCharset("utf16le") }
            if bytes.starts(with: [0, first]) { return FeedCharset("utf16be") }
        }
        return nil
    }

    /// The set that the declaration of an XML document names, where one byte is one of its letters.
    ///
    /// A declaration in such letters that names UTF-16 lies.
    static func declared(in bytes: [UInt8]) -> FeedCharset? {
        let begin = bytes.drop { $0 == 0x20 || (0x09...0x0d).contains($0) }
        guard begin.starts(with: "<?xml".utf8),
            let end = begin.prefix(1024).firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        let text = String(decoding: begin[..<end], as: UTF8.self)
        let match = text.firstMatch(of: /encoding\s*=\s*["']([A-Za-z0-9._:\-]+)["']/)
        guard let charset = match.flatMap({ FeedCharset($0.1.lowercased()) }),
            !charset.name.hasPrefix("UTF-16")
        else { return nil }
        return charset
    }
}
