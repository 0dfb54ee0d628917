// A row of the vector table: bytes, and the expected result.
import Testing

/// One row of research/reliability.md, section 3.
struct Vector: Sendable, CustomTestStringConvertible {
    /// The expected result of parsing the bytes.
    enum Outcome: Sendable {
        /// This number of requests, and no bytes left.
        case requests(Int)
        /// This number of requests, then a rejection with one of these statuses.
        case reject([Int], after: Int)
        /// This number of requests, then neither a request nor a rejection.
        case wait(after: Int)
    }

    let row: Int
    let bytes: [UInt8]
    let outcome: Outcome
    /// The last request in the notation of `Observed.text`, if the row checks it.
    let last: String?

    var testDescription: String {
        "row \(row): " + String(decoding: bytes.prefix(80), as: UTF8.self).debugDescription
    }

    static func served(_ row: Int, _ text: String, _ count: Int = 1, last: String? = nil) -> Vector
    {
        Vector(row: row, bytes: wire(text), outcome: .requests(count), last: last)
    }

    static func refused(
        _ row: Int, _ text: String, _ statuses: Int..., after: Int = 0
    ) -> Vector {
        let allowed = statuses.isEmpty ? [400] : statuses
        return Vector(
            row: row, bytes: wire(text), outcome: .reject(allowed, after: after), last: nil)
    }

    static func waits(_ row: Int, _ text: String, after: Int = 0) -> Vector {
        Vector(row: row, bytes: wire(text), outcome: .wait(after: after), last: nil)
    }

    static let get = "GET /healthz HTTP/1.1¶"
    static let post = "POST /echo HTTP/1.1¶"
    static let host = "Host: a¶"
    static let chunked = "Transfer-Encoding: chunked¶"
    /// `GET` with `Host`, open for more fields.
    static let getHost = get + host
    /// `POST` with `Host`, open for more fields.
    static let postHost = post + host
    /// A whole request.
    static let whole = getHost + "¶"

    /// The bytes of a text in which `¶` is CR LF, `␊ ␍ ␀ ␉ ␠` are the bytes that they show, and
    /// `«hh»` is a byte.
    static func wire(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var hex: String?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "«": hex = ""
            case "»":
                bytes.append(UInt8(hex ?? "", radix: 16) ?? 0)
                hex = nil
            case _ where hex != nil: hex?.unicodeScalars.append(scalar)
            case "¶": bytes += [13, 10]
            case "␊": bytes.append(10)
            case "␍": bytes.append(13)
            case "␀": bytes.append(0)
            case "␉": bytes.append(9)
            case "␠": bytes.append(32)
            default: bytes += Array(String(scalar).utf8)
            }
        }
        return bytes
    }
}
