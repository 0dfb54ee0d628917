// Reads the field `Idempotency-Key`.
internal import Base
internal import Crypto
internal import HTTPWire
internal import Store

/// The field `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07).
enum IdempotencyKeyHeader {
    /// The longest key, in bytes.
    static let bytesAtMost = 255

    /// The text of the key; `"a"` and `a` are one key.
    ///
    /// - Returns: nil for anything but 1 to 255 visible characters of ASCII or a string of
    ///   RFC 8941 section 3.3.3 with as many.
    static func text(_ field: String) -> String? {
        var bytes = Array(field.utf8)
        if bytes.first == UInt8(ascii: "\"") {
            guard let inner = unquoted(bytes) else { return nil }
            bytes = inner
        } else {
            guard bytes.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
        }
        guard (1...bytesAtMost).contains(bytes.count) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func unquoted(_ bytes: [UInt8]) -> [UInt8]? {
        var inner: [UInt8] = []
        var place = 1
        while place < bytes.count {
            let byte = bytes[place]
            switch byte {
            case UInt8(ascii: "\""):
                return place == bytes.count - 1 ? inner : nil
            case UInt8(ascii: "\\"):
                place += 1
                guard place < bytes.count, bytes[place] == 0x22 || bytes[place] == 0x5c else {
                    return nil
                }
                inner.append(bytes[place])
            case 0x20...0x7e:
                inner.append(byte)
            default:
                return nil
            }
            place += 1
        }
        return nil
    }

    /// The key of a request; nil for none.
    ///
    /// - Throws: `invalid-idempotency-key`.
    static func read(_ request: Request, app: Int64) throws(Problem) -> IdempotencyKey? {
        let fields = request.headers.all("Idempotency-Key")
        guard let field = fields.first else { return nil }
        guard fields.count == 1, let text = text(field) else {
            throw Problem(
                .invalidIdempotencyKey,
                "Idempotency-Key must be one value of 1 to \(bytesAtMost) visible ASCII "
                    + "characters, with or without quotation marks around it.")
        }
        var digest = SHA256()
        for part in [request.method, request.path, request.query ?? ""] {
            digest.update(Array(part.utf8) + [0])
        }
        digest.update(request.body)
        return IdempotencyKey(
            app: app, hash: half(SHA256.digest(of: text)), fingerprint: half(digest.finalize()))
    }

    private static func half(_ digest: [UInt8]) -> Identifier {
        func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
            bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
        return Identifier(high: number(digest[..<8]), low: number(digest[8..<16]))
    }
}
