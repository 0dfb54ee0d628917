// The texts from which a request's signature is computed, as both sides spell them.

/// Spellings in the canonical request of Signature Version 4.
enum CanonicalText {
    /// A text with every byte as `%XX` but for letters, digits and `-._~`, and for slashes if these
    /// are kept.
    static func encoded(_ bytes: some Sequence<UInt8>, keepsSlash: Bool = false) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.append(byte)
            case slash where keepsSlash: result.append(byte)
            default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The bytes of a text with its `%XX` decoded; a percent sign without two digits stays, and a
    /// plus sign may be a space, as in queries.
    static func decoded(_ text: some Sequence<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
        let bytes = Array(text)
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "%"), place + 2 < bytes.count,
                let high = value(bytes[place + 1]), let low = value(bytes[place + 2])
            {
                result.append(high << 4 | low)
                place += 3
                continue
            }
            result.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
            place += 1
        }
        return result
    }

    /// The path of a request as the rule spells it.
    static func path(_ path: Substring, _ rule: SignatureV4.PathRule) -> String {
        switch rule {
        case .verbatim: encoded(decoded(path.utf8), keepsSlash: true)
        case .normalized: encoded(withoutDots(path).utf8, keepsSlash: true)
        }
    }

    /// The parameters of a query, each as `name=value` in the canonical spelling, sorted.
    static func query(_ query: Substring) -> [String] {
        var pairs: [(name: [UInt8], value: [UInt8])] = []
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            pairs.append(
                (
                    Array(encoded(decoded(part[..<end], plusIsSpace: true)).utf8),
                    Array(encoded(decoded(part[end...].dropFirst(), plusIsSpace: true)).utf8)
                ))
        }
        pairs.sort { left, right in
            left.name == right.name
                ? left.value.lexicographicallyPrecedes(right.value)
                : left.name.lexicographicallyPrecedes(right.name)
        }
        return pairs.map {
            String(decoding: $0.name + [UInt8(ascii: "=")] + $0.value, as: UTF8.self)
        }
    }

    /// A header's value without space at its ends, and with single spaces inside.
    static func value(_ value: String) -> String {
        value.split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }.joined(separator: " ")
    }

    /// The path without dot segments and without repeated slashes.
    private static func withoutDots(_ path: Substring) -> String {
        var kept: [Substring] = []
        for segment in path.split(separator: "/") where segment != "." {
            if segment == ".." { _ = kept.popLast() } else { kept.append(segment) }
        }
        let isFolder = path.hasSuffix("/") && !kept.isEmpty
        return "/" + kept.joined(separator: "/") + (isFolder ? "/" : "")
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static let slash = UInt8(ascii: "/")
}
